"""Seams in a row, recovery in steps, and strategies with a prefix of their own, in real runs."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from runs import no_report

from harness.cli import main
from harness.store import RunFolder
from harness.strategies.base import Context, Strategy, system_of
from harness.text import carried, carried_message
from harness.transcript import Turn, read_events, view_at
from harness.types import Compaction, Message, Recovery, Setup, ToolCall

HERE = Path(__file__).stem
pytestmark = pytest.mark.slow


class Notebook(Strategy):
    """A file laid down before the work, kept by the strategy, shown at every turn."""

    name = "notebook"
    prefix = "own"
    owned = ("notes/**",)

    def start(self) -> Setup:
        return Setup(instructions="Notes are kept for you.", files={"notes/log.md": "开始\n"})

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        ctx.write("notes/log.md", (ctx.workspace.text("notes/log.md") or "") + "seam\n")
        ctx.notes.append("kept")
        said = [("request", str(history[1]["content"]))]
        return Compaction(view=[*system_of(history), carried_message(said, history)])

    async def recover(
        self, view: Sequence[Message], turns: Sequence[Turn], ctx: Context
    ) -> Recovery | None:
        if len(turns) >= 2:
            return None
        word = carried("recovery", f"step {len(turns)}")
        return Recovery([{"role": "user", "content": word}], turns=1)

    def refuse(self, call: ToolCall, ctx: Context) -> str | None:
        return "no searching here" if call.name == "run" and "find ." in str(call.args) else None

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        log = ctx.workspace.text("notes/log.md") or ""
        return [*view, {"role": "user", "content": carried("notes", log)}]

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        ctx.write("notes/log.md", (ctx.workspace.text("notes/log.md") or "") + "turn\n")


class Trespasser(Notebook):
    """Writes what is not its own."""

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        ctx.write("README.md", "mine")
        raise AssertionError("not reached")


class Forgetful(Notebook):
    """Crashes at its second seam."""

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        if "seam" in (ctx.workspace.text("notes/log.md") or ""):
            raise KeyError("where was I?")
        return await super().compact(history, ctx)


def run(tmp_path: Path, *overrides: str, exit_code: int = 0) -> RunFolder:
    base = ["run", "tasks.only=[rename/tally_ledger]", "study.controls=[full]", "run.name=r"]
    with no_report():
        assert main([*base, f"run.results={tmp_path}", *overrides]) == exit_code
    return RunFolder(tmp_path / "r")


def run_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Strategy], *overrides: str
) -> RunFolder:
    """A run of a strategy of this file that does not end well."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    path, name = f"strategy.import_path={HERE}:{kind.__name__}", kind.__name__.lower()
    own = ["strategy=own", path, f"strategy.name={name}"]
    return run(tmp_path, *own, *overrides, exit_code=1)


def of(folder: RunFolder, arm: str) -> list[dict[str, Any]]:
    return [dict(r) for r in folder.records() if r["arm"] == arm]


def test_every_seam_of_a_trial_has_a_record_of_its_own(tmp_path: Path) -> None:
    folder = run(tmp_path, "strategy=engram", "seam=early", "seam.count=3", "seam.gap=4")
    full = of(folder, "full")
    assert [r["seam"]["index"] for r in full] == [1, 2, 3]
    assert [r["status"] for r in full] == ["scored"] * 3
    turns = [r["seam"]["turn"] for r in full]
    assert all(later - before >= 4 for before, later in itertools.pairwise(turns))
    assert all(set(a["seam"]["done"]) < set(b["seam"]["done"]) for a, b in itertools.pairwise(full))
    assert [r["prefix_kind"] for r in full] == ["shared", "own", "own"]
    assert set(full[1]["tokens"]["prefix"].values()) == {0, None}  # None: no reasoning was told
    # What was stated before the first seam is still established at the last one.
    known = [{f["id"] for f in r["facts"]} for r in full]
    assert known[0] <= known[1] <= known[2]
    for record in of(folder, "engram"):
        assert record["status"] == "scored" or record["reason"].endswith("_before_seam")
    assert main(["verify", str(folder.root)]) == 0
    before = folder.records_path.read_bytes()
    folder = run(tmp_path, "strategy=engram", "seam=early", "seam.count=3", "seam.gap=4")
    assert folder.records_path.read_bytes() == before


def test_a_stopped_agent_has_no_further_seams_and_that_is_told(tmp_path: Path) -> None:
    folder = run(tmp_path, "strategy=bare", "seam=early", "seam.count=3", "study.controls=[empty]")
    empty = of(folder, "empty")
    assert [r["status"] for r in empty] == ["scored", "unscored", "unscored"]
    assert {r["reason"] for r in empty[1:]} == {"stopped_before_seam"}
    assert [r["seam"]["index"] for r in empty] == [1, 2, 3]


def test_a_prefix_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    folder = run(
        tmp_path, "strategy=own", f"strategy.import_path={HERE}:Notebook", "strategy.name=notebook",
        "seam=mid", "study.beside=[bare]",
    )  # fmt: skip
    (mine,), (bare,), (full,) = (of(folder, name) for name in ("notebook", "bare", "full"))
    assert (mine["status"], mine["prefix_kind"]) == ("scored", "own")
    assert mine["prefix_hash"] != bare["prefix_hash"] == full["prefix_hash"]
    assert mine["notes"] == ["kept"]
    prefix = read_events(folder.prefix(mine["prefix_hash"]) / "events.jsonl")
    assert "[carried:instructions]" in prefix[0]["message"]["content"]
    assert any(e["type"] == "files" and list(e["files"]) == ["notes/log.md"] for e in prefix)
    events = [*prefix, *read_events(folder.trial(mine["trial_id"]) / "events.jsonl")]
    phases = [
        e["phase"] for e in events if e["type"] == "turn" and e["turn"] > mine["seam"]["turn"]
    ]
    assert phases[:3] == ["recovery", "recovery", "work"]
    shown = json.dumps(view_at(events, mine["seam"]["turn"] + 2), ensure_ascii=False)
    assert "step 0" in shown and "step 1" in shown and "开始" in shown and "seam" in shown
    # Its own files are no work: no turn that wrote nothing else is taken for a writing one.
    assert not any("notes/" in e["what"] for w in mine["windows"].values()
                   for item in w["items"].values() for e in item["evidence"])  # fmt: skip
    assert mine["budget"]["used"]["injected"] > 0
    assert main(["verify", str(folder.root)]) == 0


def test_a_strategy_writes_nothing_but_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run_own(tmp_path, monkeypatch, Trespasser, "seam=mid")
    (record,) = of(folder, "trespasser")
    assert (record["status"], record["reason"]) == ("error", "strategy:crashed")
    assert "which it does not own" in record["attempts"][-1]["text"]


def test_seams_after_one_that_failed_are_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run_own(tmp_path, monkeypatch, Forgetful, "seam=early", "seam.count=3")
    found = [(r["seam"]["index"], r["status"]) for r in of(folder, "forgetful")]
    assert found == [(1, "scored"), (2, "error"), (3, "error")]
