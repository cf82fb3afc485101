"""What the other two seeds describe, in real runs: files kept, instructions followed, recovery."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from views import context, history

from harness import tokens
from harness.cli import main
from harness.errors import UserError
from harness.store import RunFolder
from harness.strategies import SEEDS, default_options, make_strategy
from harness.strategies.base import Context
from harness.text import CARRIED_OPEN, carried, content_text, glob_match
from harness.tools import parse_calls
from harness.transcript import Turn, read_events, read_turns, view_at
from harness.types import Message, Usage
from harness.worker.instructions import Kept, after_step, first_calls, read_orders, render

TASK = "rename/tally_ledger"


def run(tmp_path: Path, strategy: str, *overrides: str) -> RunFolder:
    base = ["run", f"tasks.only=[{TASK}]", f"strategy={strategy}", "study.controls=[]"]
    where = [f"run.results={tmp_path}", "run.name=r", "seam=early", "seam.count=3"]
    assert main([*base, *where, *overrides]) == 0
    return RunFolder(tmp_path / "r")


def turns_of(folder: RunFolder, record: dict[str, Any]) -> list[Turn]:
    prefix = read_events(folder.prefix(record["prefix_hash"]) / "events.jsonl")
    events = read_events(folder.trial(record["trial_id"]) / "events.jsonl")
    return read_turns([*prefix, *events])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tattoo", "protocol"])
def test_three_seams_with_files_that_are_no_work(name: str, tmp_path: Path) -> None:
    folder = run(tmp_path, name)
    records = [dict(r) for r in folder.records() if r["arm"] == name]
    assert [r["seam"]["index"] for r in records] == [1, 2, 3]
    owned = make_strategy(name, {}).owned
    for record in records:
        assert record["status"] == "scored", record["reason"]
        for window in record["windows"].values():
            for item in window["items"].values():
                assert not any(glob_match(e["where"], owned) for e in item["evidence"])
        seam = json.loads((folder.prefix(record["prefix_hash"]) / "seam.json").read_text("utf-8"))
        assert seam["slip"] is None
        assert any(glob_match(path, owned) for path in seam["manifest"])


@pytest.mark.slow
def test_the_worker_keeps_memory_and_commits_and_reads_it_back(tmp_path: Path) -> None:
    folder = run(tmp_path, "protocol", "seam.count=1")
    (record,) = [dict(r) for r in folder.records() if r["arm"] == "protocol"]
    turns = turns_of(folder, record)
    before = [t for t in turns if t.number <= record["seam"]["turn"]]
    commits = [c for t in before for c in t.calls if "git commit" in c.args.get("command", "")]
    checked = [t for t in before if any(c.tool == "update_plan" for c in t.calls)]
    assert len(commits) == len(checked) > 0
    assert all(c.ok for c in commits)
    recovery = [t for t in turns if t.phase == "recovery"]
    read, told = recovery
    assert "memory/current-task.md" in {c.args.get("path") for c in read.calls}
    log = next(c.result for c in read.calls if "git log" in c.args.get("command", ""))
    assert len(log.splitlines()) >= min(5, len(commits))
    assert not told.calls
    assert told.say
    assert not recovery[0].files  # a recovery changes nothing
    assert not recovery[1].files


@pytest.mark.slow
def test_the_tattoo_stands_in_the_system_prompt_of_every_call(tmp_path: Path) -> None:
    folder = run(tmp_path, "tattoo", "seam.count=1")
    (record,) = [dict(r) for r in folder.records() if r["arm"] == "tattoo"]
    prefix = read_events(folder.prefix(record["prefix_hash"]) / "events.jsonl")
    trial = read_events(folder.trial(record["trial_id"]) / "events.jsonl")
    for turn in read_turns([*prefix, *trial]):
        view = view_at([*prefix, *trial], turn.number)
        assert CARRIED_OPEN.findall(content_text(view[0]))[0] == "tattoo"
        assert sum("[carried:tattoo]" in content_text(m) for m in view) == 1


def owning(folder: Path) -> Context:
    """A context whose workspace can be written."""
    ctx = context(folder)

    def write(path: str, text: str) -> None:
        target = folder / "workspace" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    ctx.write = write
    return ctx


@pytest.mark.parametrize(
    ("name", "options"), [("protocol", {}), ("git_log", {}), ("tattoo", {"recite": True})]
)
async def test_a_recovery_twice_is_as_one(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    strategy, ctx = make_strategy(name, options), owning(tmp_path)
    view = list((await strategy.compact(history("history"), ctx)).view)
    step = await strategy.recover(view, [], ctx)
    assert step is not None
    view += step.messages
    before = (ctx.workspace.status(), ctx.workspace.diff())
    assert await strategy.recover(view, [], ctx) is None
    assert (ctx.workspace.status(), ctx.workspace.diff()) == before
    assert tokens.count_view(step.messages) + 48 <= strategy.fixed_tokens + 13


async def test_a_wrong_recital_is_shown_the_files_again(tmp_path: Path) -> None:
    strategy, ctx = make_strategy("tattoo", {"recite": True}), owning(tmp_path)
    view = list((await strategy.compact(history("history"), ctx)).view)
    asked = await strategy.recover(view, [], ctx)
    assert asked is not None
    said = Turn(1, "I do not know.", (), {}, Usage(), "recovery")
    again = await strategy.recover([*view, *asked.messages], [said], ctx)
    assert again is not None
    assert "[carried:tattoo]" in content_text(again.messages[0])
    rules = ctx.workspace.text(".agent/constraints.md") or ""
    progress = ctx.workspace.text(".agent/progress.md") or ""
    right = Turn(1, rules + progress, (), {}, Usage(), "recovery")
    assert await strategy.recover([*view, *asked.messages], [right], ctx) is None


@pytest.mark.parametrize("wording", ["must", "should", "descriptive"])
async def test_the_tattoo_remembers_over_seams(wording: str, tmp_path: Path) -> None:
    """What the files hold after a second seam, whose history no longer has it."""
    strategy, ctx = make_strategy("tattoo", {"wording": wording}), owning(tmp_path)
    made = await strategy.compact(history("history"), ctx)
    names = (".agent/constraints.md", ".agent/progress.md", ".agent/decisions.md")
    first = [ctx.workspace.text(name) for name in names]
    assert first[0] is not None
    assert "\n1. " in first[0]
    await strategy.compact(made.view, ctx)
    assert [ctx.workspace.text(name) for name in names] == first


async def test_a_stale_tattoo_is_written_once(tmp_path: Path) -> None:
    strategy, ctx = make_strategy("tattoo", {"stale": True}), owning(tmp_path)
    for path, text in strategy.start().files.items():
        ctx.write(path, text)
    await strategy.compact(history("history"), ctx)
    first = ctx.workspace.text(".agent/constraints.md")
    told = {"role": "user", "content": "Never touch docs/plan.md."}
    await strategy.compact([*history("history"), told], ctx)
    assert ctx.workspace.text(".agent/constraints.md") == first


async def test_a_patch_is_pasted_unchanged_at_a_later_seam(tmp_path: Path) -> None:
    strategy = make_strategy("patch", {})
    first = await strategy.compact(history("history"), context(tmp_path / "1"))
    rule = {"role": "user", "content": "Never touch docs/plan.md."}
    second = await strategy.compact([*first.view, rule], context(tmp_path / "2"))
    assert second.artefacts["card"] == first.artefacts["card"]
    assert "docs/plan.md" not in second.artefacts["card"]


def system(text: str) -> list[Message]:
    return [{"role": "system", "content": "Work.\n\n" + carried("instructions", text)}]


def test_instructions_are_read_from_system_and_carried_text_only() -> None:
    text = "First read `a.md`, `b.md`. State in at most five sentences the rules."
    orders = read_orders(system(text))
    assert (orders.read, orders.state) == (["a.md", "b.md"], ("rules",))
    assert [c.args["path"] for c in first_calls(orders, ["a.md"], [])] == ["b.md"]
    for message in (
        {"role": "user", "content": text},
        {"role": "assistant", "content": text},
        {"role": "user", "content": carried("summary", text)},
    ):
        assert not read_orders([message]).read
    answered = [*system(text), {"role": "assistant", "content": "The rules: none."}]
    assert read_orders(answered).state is None


def test_decisions_are_appended_once_and_nothing_older_is_changed(tmp_path: Path) -> None:
    orders = read_orders(system("After each step, append new decisions to `d.md`."))
    notes = {"decisions": ["no cache, it's slow", "不用缓存"]}
    (tmp_path / "d.md").write_text("- from another agent\n", encoding="utf-8")
    for _ in range(2):
        for call in after_step(orders, notes, "en", "Done"):
            subprocess.run(["bash", "-c", call.args["command"]], cwd=tmp_path, check=True)
    told = (tmp_path / "d.md").read_text("utf-8").splitlines()
    assert told == ["- from another agent", "- no cache, it's slow", "- 不用缓存"]


def test_a_file_of_notes_keeps_to_its_lines() -> None:
    notes = {"goal": ["g"], "plan": [f"[ ] {n}" for n in range(9)]}
    assert len(render(Kept("m.md", ("goal", "plan"), 5), notes, "zh").splitlines()) == 5


@pytest.mark.parametrize("kind", SEEDS, ids=lambda kind: kind.name)
def test_an_unknown_choice_is_named(kind: Any) -> None:
    for option in ("base", "load", "wording", "order", "when"):
        if option in default_options(kind.name):
            with pytest.raises(UserError, match=option):
                make_strategy(kind.name, {option: "sometimes"})


LOCKED = """
import sys
from pathlib import Path
from harness.strategies.shared_log import append
for n in range(200):
    append(Path(sys.argv[1]), f"{sys.argv[2]} {n}")
"""
NAIVE = """
import sys
from pathlib import Path
path, barrier = Path(sys.argv[1]), sys.stdin
before = path.read_text("utf-8")
print("read", flush=True)
barrier.readline()
path.write_text(before + sys.argv[2] + "\\n", encoding="utf-8")
"""


async def test_two_agents_lose_nothing_in_a_shared_log(tmp_path: Path) -> None:
    path = tmp_path / "decisions.md"
    path.write_text("- old\n", encoding="utf-8")
    made = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", LOCKED, str(path), name)
        for name in ("one", "two")
    ]
    assert [await process.wait() for process in made] == [0, 0]
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "- old"
    for name in ("one", "two"):
        mine = [line for line in lines if line.startswith(name)]
        assert mine == [f"{name} {n}" for n in range(200)]


def test_reading_and_writing_back_does_lose_entries(tmp_path: Path) -> None:
    """Both have read before either writes: the later one overwrites the earlier one's entry."""
    path = tmp_path / "decisions.md"
    path.write_text("- old\n", encoding="utf-8")
    made = [
        subprocess.Popen(
            [sys.executable, "-c", NAIVE, str(path), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    for process in made:
        assert process.stdout is not None
        assert process.stdout.readline() == "read\n"
    for process in made:
        process.communicate("go\n")
    assert path.read_text("utf-8") == "- old\ntwo\n"


def test_calls_of_the_worker_parse() -> None:
    orders = read_orders(system("After each step, commit all changes."))
    (call,) = after_step(orders, {"decisions": []}, "en", "Done: it's `here`")
    function = {"name": call.tool, "arguments": json.dumps(call.args)}
    message = {"role": "assistant", "tool_calls": [{"id": "1", "function": function}]}
    assert parse_calls(message)[0].error is None
