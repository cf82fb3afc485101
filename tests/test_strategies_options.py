"""Options of strategies: what they may not break (a matched total), and what an arm is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from views import context, history, matched, put_in

from harness import tokens
from harness.cell import Arm
from harness.cli import main
from harness.errors import UserError
from harness.strategies import ADDONS, REGISTRY, default_options, make_strategy
from harness.strategies.base import Budget, Context, system_of
from harness.transcript import Done, Turn
from harness.types import Usage

ROOT = Path(__file__).resolve().parents[1]
LARGE = 100_000


def owning(folder: Path, total: int) -> Context:
    """A context whose workspace can be written."""
    ctx = context(folder, matched(total))

    def write(path: str, text: str) -> None:
        target = folder / "workspace" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    ctx.write = write
    return ctx


def items(path: Path, count: int = 60) -> str:
    """A file of items of other tasks."""
    rows = [
        {"task": f"t{n % 3}", "kind": "constraints", "text": f"MUST: keep part {n}", "paths": []}
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


SIZES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in REGISTRY),
    ("bare", {"summary_tokens": 200}),
    ("bare", {"summary_tokens": LARGE}),
    ("engram", {"budget": LARGE}),
    ("engram", {"budget": "none"}),
    ("engram", {"mode": "proactive", "budget": LARGE}),
    ("long_mem", {"filter": "all", "prefill": True}),
    ("long_mem", {"filter": "strict"}),
    ("combined", {"filter": "all", "prefill": True}),
    ("tattoo", {"limit": LARGE}),
    ("tattoo", {"limit": LARGE, "base": "wipe"}),
    ("tattoo", {"load": "instructed", "recite": True}),
    ("tattoo", {"when": "mid_task", "wording": "descriptive"}),
    *((name, {"base": "wipe"}) for name in ("protocol", "git_log", "repeat", "patch")),
    ("protocol", {"confirm": False}),
    ("recent_n", {"messages": LARGE}),
    ("sliding_window", {"share": 1.0}),
    ("decay", {"fresh_chars": LARGE, "half_life": LARGE}),
    ("observation_mask", {"last": LARGE}),
    ("clear_tool_results", {"last": LARGE}),
    ("cliff", {"turns": LARGE, "result_chars": LARGE, "call_chars": LARGE}),
    ("pinned", {"first": LARGE}),
    ("git_card", {"part_chars": LARGE, "tests": LARGE}),
    ("codex_handoff", {"user_tokens": LARGE}),
    ("state_snapshot", {"keep_share": 0.9}),
    ("iterative", {"recent_share": 0.9, "result_chars": LARGE}),
    ("extract_sections", {"messages": LARGE}),
]


@pytest.mark.parametrize("total", [250, 700, 2500])
@pytest.mark.parametrize(("name", "options"), SIZES)
async def test_no_option_goes_over_a_matched_total(
    name: str, options: dict[str, Any], total: int, tmp_path: Path
) -> None:
    """Neither in the first view, with what is put into it for a turn or a recovery, nor later."""
    if "prefill" in options:
        options = {**options, "prefill": items(tmp_path / "other.jsonl")}
    for source in ("history", "history_zh"):
        before = history(source)
        strategy, ctx = make_strategy(name, options), owning(tmp_path / source, total)
        for path, text in strategy.start().files.items():
            ctx.write(path, text)
        made = await strategy.compact(before, ctx)
        view = list(made.view)
        if step := await strategy.recover(view, [], ctx):
            view += step.messages
        shown = await strategy.before_turn(view, ctx)
        prompt = tokens.count_view(system_of(shown)) - tokens.count_view(system_of(before))
        assert put_in(shown) + prompt - strategy.fixed_tokens <= total, made.notes


async def test_a_summary_that_asks_for_more_than_the_total_is_told(tmp_path: Path) -> None:
    made = await make_strategy("bare", {"summary_tokens": 3000}).compact(
        history("history"), context(tmp_path, matched(300))
    )
    assert tokens.count(made.artefacts["summary"]) <= 300
    assert made.notes == ("summary_tokens_over_total:3000",)


@pytest.mark.parametrize("size", [0, -5, "many"])
def test_a_size_that_is_none_is_refused(size: Any) -> None:
    with pytest.raises(UserError, match="summary_tokens"):
        make_strategy("bare", {"summary_tokens": size})


@pytest.mark.parametrize("folder", ["one", "two/deeper"])
def test_a_name_tells_no_path(folder: str, tmp_path: Path) -> None:
    """Whatever lies elsewhere on another machine: claims and comparisons go by the name."""
    path = tmp_path / folder / "any.jsonl"
    path.parent.mkdir(parents=True)
    told = {"filter": "all", "prefill": str(path), "store": str(path)}
    assert Arm("long_mem", told).label == "long_mem[filter=all,prefill,store]"
    assert Arm("combined", {"prefill": str(path)}).label == "combined[prefill]"
    arm = Arm("engram", {}, addons=[{"name": "card_edit", "file": str(path)}])
    assert arm.label == "engram+card_edit[file]"
    assert arm.addon_labels == ["card_edit[file]"]


def test_every_option_that_is_read_beforehand_is_a_path() -> None:
    for kind in (*REGISTRY.values(), *ADDONS.values()):
        assert set(kind.inputs) <= set(kind.paths)


def test_two_arms_that_differ_in_a_path_alone_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ",".join(
        f"{{strategy: long_mem, options: {{filter: all, prefill: {items(tmp_path / name)}}}}}"
        for name in ("a.jsonl", "b.jsonl")
    )
    run = ["run", "strategy=long_mem", f"study.variants=[{given}]", "study.controls=[]"]
    assert main([*run, "tasks.only=[rename/tally_ledger]", f"run.results={tmp_path / 'r'}"]) == 2
    error = capsys.readouterr().err.strip()
    assert len(error.splitlines()) == 1
    assert "long_mem[filter=all,prefill]" in error


def test_the_arms_of_the_claims_are_those_of_the_studies(tmp_path: Path) -> None:
    """Wherever the file of other tasks' items lies."""
    given = yaml.safe_load((ROOT / "configs" / "claims.yaml").read_text(encoding="utf-8"))
    wanted: set[str] = set()
    for claim in given.values():
        for part in claim["parts"]:
            wanted.update(part.get("difference", ()))
            wanted.update(part[key] for key in ("rate", "arm") if key in part)
    study = yaml.safe_load((ROOT / "configs/study/stage_two.yaml").read_text(encoding="utf-8"))
    labels = {*study["strategies"], *study["controls"]}
    for variant in study["variants"]:
        options = {**default_options(variant["strategy"]), **variant.get("options", {})}
        if "prefill" in variant.get("options", {}):
            options["prefill"] = str(tmp_path / "anything.jsonl")
        addons = [{"name": a} if isinstance(a, str) else a for a in variant.get("addons", [])]
        labels.add(Arm(variant["strategy"], options, addons=addons).label)
    assert wanted
    assert wanted <= labels


FOREIGN = [
    {"kind": "constraints", "text": "MUST NOT: edit vault/keys.py", "paths": ["vault/keys.py"]},
    {"kind": "constraints", "text": "MUST: call `seal_box` last", "paths": []},
    {"kind": "constraints", "text": "MUST: be kind", "paths": []},
    {"kind": "constraints", "text": "MUST: leave station.py alone", "paths": ["station.py"]},
    {"kind": "files", "text": "vault/lock.py (changed)", "paths": ["vault/lock.py"]},
]


@pytest.mark.parametrize("name", ["long_mem", "combined"])
async def test_foreign_rules_are_counted_where_a_name_tells(name: str, tmp_path: Path) -> None:
    """A name that only the foreign rule holds; what the task itself speaks of tells nothing."""
    path = tmp_path / "other.jsonl"
    rows = [json.dumps({"task": "other", **row}) for row in FOREIGN]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    strategy = make_strategy(name, {"filter": "all", "prefill": str(path)})
    ctx = context(tmp_path / "ws", Budget("study", None, 0.1, 5000))
    view = list((await strategy.compact(history("history"), ctx)).view)
    counts = []
    for say, args in (
        ("I go on.", {"path": "station.py"}),
        ("Now vault/lock.py.", {"path": "vault/lock.py"}),
        ("First", {"path": "vault/keys.py"}),
        ("I call `seal_box` last.", {}),
        ("Again `seal_box`.", {}),
    ):
        await strategy.before_turn(view, ctx)
        call = Done("read_file", args, True, "")
        await strategy.after_turn(Turn(1, say, (call,), {}, Usage(), "work"), ctx)
        named = [note for note in ctx.notes if note.startswith("foreign_rules_named")]
        counts.append([int(note.rpartition(":")[2]) for note in named])
    assert counts == [[0], [0], [0, 1], [0, 1, 2], [0, 1, 2]]


async def test_without_foreign_items_nothing_is_counted(tmp_path: Path) -> None:
    for options in ({}, {"filter": "task", "prefill": items(tmp_path / "other.jsonl")}):
        strategy, ctx = make_strategy("long_mem", options), context(tmp_path / str(len(options)))
        view = list((await strategy.compact(history("history"), ctx)).view)
        await strategy.before_turn(view, ctx)
        await strategy.after_turn(Turn(1, "part 3", (), {}, Usage(), "work"), ctx)
        assert not [note for note in ctx.notes if note.startswith("foreign_rules")]
