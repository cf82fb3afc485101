"""What the other two seeds describe, in real runs: files kept, instructions followed, recovery."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from runs import no_report
from views import context, history

from harness import tokens
from harness.cli import main
from harness.errors import UserError
from harness.store import RunFolder
from harness.strategies import SEEDS, default_options, make_strategy
from harness.strategies.base import Context
from harness.text import carried, content_text, glob_match, split_carried
from harness.tools import parse_calls
from harness.transcript import Event, Turn, read_events, read_turns, view_at
from harness.types import Message, Usage
from harness.worker.instructions import Kept, after_step, first_calls, read_orders, render

TASK = "rename/tally_ledger"
VARIANTS = {
    "repeat[every=2]": "{strategy: repeat, options: {every: 2}}",
    "tattoo[load=instructed]": "{strategy: tattoo, options: {load: instructed}}",
    (WIPED := "tattoo[base=wipe,remind=4]"): "{strategy: tattoo, options: {base: wipe, remind: 4}}",
    (REFERS := "tattoo[long_rules=reference,when=mid_task]"): (
        "{strategy: tattoo, options: {long_rules: reference, when: mid_task}}"
    ),
}
ARMS = ("tattoo", "protocol", *VARIANTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """One run of all arms, each over three seams in a row."""
    results = tmp_path_factory.mktemp("seeds")
    arms = ["strategy=tattoo,protocol", f"study.variants=[{','.join(VARIANTS.values())}]"]
    plan = [f"tasks.only=[{TASK}]", "study.controls=[]", "study.beside=[]"]
    where = [f"run.results={results}", "run.name=r", "seam=early", "seam.count=3"]
    with no_report():
        assert main(["run", *arms, *plan, *where]) == 0
    return RunFolder(results / "r")


def of(folder: RunFolder, arm: str) -> list[dict[str, Any]]:
    """Records of an arm by seam."""
    return [dict(r) for r in folder.records() if r["arm"] == arm]


def events_of(folder: RunFolder, record: dict[str, Any]) -> list[Event]:
    prefix = read_events(folder.prefix(record["prefix_hash"]) / "events.jsonl")
    return [*prefix, *read_events(folder.trial(record["trial_id"]) / "events.jsonl")]


def turns_of(folder: RunFolder, record: dict[str, Any]) -> list[Turn]:
    return read_turns(events_of(folder, record))


def carried_in(view: Sequence[Message], *roles: str) -> list[str]:
    """Kinds of carried text in the messages of the given roles."""
    texts = [content_text(m) for m in view if m["role"] in roles]
    return [kind for text in texts for kind, _ in split_carried(text) if kind]


@pytest.mark.slow
@pytest.mark.parametrize("arm", ARMS)
def test_three_seams_with_files_that_are_no_work(folder: RunFolder, arm: str) -> None:
    records = of(folder, arm)
    assert [r["seam"]["index"] for r in records] == [1, 2, 3]
    owned = make_strategy(arm.partition("[")[0], {}).owned
    for record in records:
        assert record["status"] == "scored", record["reason"]
        for window in record["windows"].values():
            for item in window["items"].values():
                assert not any(glob_match(e["where"], owned) for e in item["evidence"])
        seam = json.loads((folder.prefix(record["prefix_hash"]) / "seam.json").read_text("utf-8"))
        assert bool(owned) == (record["budget"]["used"]["files"] > 0)
        assert seam["slip"] is None or not owned  # repeat loses rules at its seams
        assert bool(owned) == any(glob_match(path, owned) for path in seam["manifest"])


@pytest.mark.slow
def test_the_worker_keeps_memory_and_commits_and_reads_it_back(folder: RunFolder) -> None:
    record = of(folder, "protocol")[0]
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
def test_the_tattoo_stands_in_the_system_prompt_of_every_call(folder: RunFolder) -> None:
    record = of(folder, "tattoo")[0]
    events = events_of(folder, record)
    for turn in read_turns(events):
        view = view_at(events, turn.number)
        assert carried_in(view, "system") == ["tattoo"]
        assert "tattoo" not in carried_in(view, "user", "assistant")


@pytest.mark.slow
def test_an_instructed_tattoo_is_read_at_the_start_and_after_every_seam(folder: RunFolder) -> None:
    names = [".agent/constraints.md", ".agent/progress/task-001.md"]
    for record in of(folder, "tattoo[load=instructed]"):
        events = events_of(folder, record)
        turns = {turn.number: turn for turn in read_turns(events)}
        first = record["seam"]["turn"] + 1
        for number in (1, first):
            read = [call.args["path"] for call in turns[number].calls]
            assert read[:2] == names
            assert carried_in(view_at(events, number), "system") == ["instructions"]
        told = "".join(call.result for call in turns[first].calls)
        assert "MUST NOT" in told
        assert "[x]" in told
        assert record["budget"]["used"]["injected"] == 0
        assert "tattoo_cut" not in record["notes"]


@pytest.mark.slow
def test_a_tattoo_in_mid_task_comes_with_the_first_step_done(folder: RunFolder) -> None:
    events = events_of(folder, of(folder, REFERS)[0])
    turns = read_turns(events)
    shown = ["tattoo" in carried_in(view_at(events, turn.number), "system") for turn in turns]
    wrote = next(n for n, turn in enumerate(turns) if turn.files)
    assert shown == [n > wrote for n in range(len(turns))]


@pytest.mark.slow
def test_a_reminder_is_shown_and_followed(folder: RunFolder) -> None:
    (name,) = (p for p in make_strategy("tattoo", {}).names if "progress" in p)
    reminded = written = 0
    for record in of(folder, WIPED):
        events = events_of(folder, record)
        for turn in read_turns(events):
            if "reminder" in carried_in(view_at(events, turn.number), "system"):
                reminded += 1
                written += any(call.args.get("path") == name for call in turn.calls)
    assert reminded > 0
    usual = [turn for r in of(folder, "tattoo") for turn in turns_of(folder, r)]
    assert not any(call.args.get("path") == name for turn in usual for call in turn.calls)
    assert written <= reminded


@pytest.mark.slow
def test_a_wipe_leaves_one_message_beside_the_files(folder: RunFolder) -> None:
    for record in of(folder, WIPED):
        events = events_of(folder, record)
        view = view_at(events, record["seam"]["turn"] + 1)
        assert [m["role"] for m in view] == ["system", "user"]
        assert set(carried_in(view, "system")) <= {"tattoo", "reminder"}
        assert not carried_in(view, "user")
        assert record["budget"]["used"]["summary"] == 0


@pytest.mark.slow
def test_rules_are_repeated_every_second_step(folder: RunFolder) -> None:
    records = of(folder, "repeat[every=2]")
    turns = [t for t in turns_of(folder, records[0]) if t.number <= records[0]["seam"]["turn"]]
    done = [turn.say for turn in turns if turn.say.startswith("Done:")]
    assert len(done) >= 2
    assert ["Rules:" in say for say in done] == [n % 2 == 0 for n in range(1, len(done) + 1)]


@pytest.mark.slow
def test_a_rule_that_is_referred_to_is_read_in_the_other_file(folder: RunFolder) -> None:
    record = of(folder, REFERS)[0]
    events = events_of(folder, record)
    first = record["seam"]["turn"] + 1
    prompt = content_text(view_at(events, first)[0])
    (copied,) = (
        content_text(view_at(events_of(folder, r), r["seam"]["turn"] + 1)[0])
        for r in of(folder, "tattoo")[:1]
    )
    assert " ...\n" in prompt
    assert " ...\n" not in copied
    turn = next(turn for turn in read_turns(events) if turn.number == first)
    read = next(call for call in turn.calls if call.args.get("path") == ".agent/rules.md")
    assert read.ok
    assert all(line.rstrip(".") in read.result for line in _numbered(prompt))
    assert _numbered(copied) <= _numbered(read.result)


def _numbered(text: str) -> set[str]:
    return {line for line in text.splitlines() if line[:1].isdigit()}


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
    progress = ctx.workspace.text(".agent/progress/task-001.md") or ""
    right = Turn(1, rules + progress, (), {}, Usage(), "recovery")
    assert await strategy.recover([*view, *asked.messages], [right], ctx) is None


@pytest.mark.parametrize("wording", ["must", "should", "descriptive"])
async def test_the_tattoo_remembers_over_seams(wording: str, tmp_path: Path) -> None:
    """What the files hold after a second seam, whose history no longer has it."""
    strategy, ctx = make_strategy("tattoo", {"wording": wording}), owning(tmp_path)
    made = await strategy.compact(history("history"), ctx)
    names = (".agent/constraints.md", ".agent/progress/task-001.md", ".agent/decisions.md")
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


def test_calls_of_the_worker_parse() -> None:
    orders = read_orders(system("After each step, commit all changes."))
    (call,) = after_step(orders, {"decisions": []}, "en", "Done: it's `here`")
    function = {"name": call.tool, "arguments": json.dumps(call.args)}
    message = {"role": "assistant", "tool_calls": [{"id": "1", "function": function}]}
    assert parse_calls(message)[0].error is None
