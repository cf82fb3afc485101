"""The study's own strategies: what they put into a view, within which limits, from which store."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from runs import ROOT, records_only, seambench

from harness import tokens
from harness.errors import StrategyError, UserError
from harness.extract import extract
from harness.extract.model_based import PROMPT
from harness.gateway import Gateway
from harness.model import Model, ModelSpec
from harness.strategies import make_strategy, memory_store
from harness.strategies.base import Budget, Context, Strategy
from harness.strategies.card import ALL_FIELDS, FIELDS, render_card
from harness.strategies.memory_store import Item, MemoryStore
from harness.text import carried, split_carried
from harness.types import FileRole, Message, Rule, State
from harness.worker.summariser import summarise

SYSTEM = {"role": "system", "content": "You are a coding agent."}
STUDY = Budget("study", None, 0.1, 500)
STATE = State(
    constraints=(Rule("never call `print_all`", "must_not"), Rule("use snake_case", "must")),
    files=(FileRole("src/a.py", "changed"), FileRole("src/b.py", "to_change")),
    naming=("the helper is called `parse_row`", "tests begin with test_row_"),
    done=("rename a",),
    open=("rename b", "rename c"),
    environment=("PORT=8123 for every check",),
    decisions=("no cache, since memory is short",),
)
WORDS = {
    "en": {
        "request": "Please rename the helpers of pkg.\n\nRules:\n{rules}\n\nSteps:\n{steps}\n",
        "rule": "- Do not edit pkg/gen_{n}.py, not even its comments.",
        "step": "the helper in pkg/part_{n}.py gets a name in snake_case",
        "say": "Done: part {n} of the helpers (pkg/part_{n}.py).",
        "remark": "By the way, the new table must be called `table_{n}`.",
    },
    "zh": {
        "request": "请把 pkg 里的辅助函数改名。\n\n规则：\n{rules}\n\n步骤：\n{steps}\n",
        "rule": "- 不要改动 pkg/gen_{n}.py，它是第 {n} 个生成器写出来的。",
        "step": "把 pkg/part_{n}.py 里的辅助函数改成 snake_case",
        "say": "已完成：第 {n} 部分（pkg/part_{n}.py）。",
        "remark": "对了，新的表必须叫 `table_{n}`。",
    },
}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def turn(number: int, say: str, *calls: tuple[str, dict[str, Any]]) -> list[Message]:
    """An assistant message with calls, and a result for each."""
    made = [
        {
            "id": f"call_{number}_{i}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(args, ensure_ascii=False)},
        }
        for i, (name, args) in enumerate(calls)
    ]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "ok"} for call in made]
    return [{"role": "assistant", "content": say, "tool_calls": made}, *results]


def edit(path: str) -> tuple[str, dict[str, Any]]:
    return "edit_file", {"path": path, "old": "a", "new": "b"}


def plan(steps: Sequence[str], done: int) -> tuple[str, dict[str, Any]]:
    items = [{"text": s, "status": "done" if i < done else "todo"} for i, s in enumerate(steps)]
    return "update_plan", {"items": items}


def history(language: str = "en", rules: int = 3, steps: int = 6, done: int = 3) -> list[Message]:
    """A session over `steps` files, of which `done` are finished; a remark names a table."""
    words = WORDS[language]
    todo = [words["step"].format(n=n) for n in range(steps)]
    told = "\n".join(words["rule"].format(n=n) for n in range(rules))
    listed = "\n".join(f"- {step}" for step in todo)
    messages = [SYSTEM, user(words["request"].format(rules=told, steps=listed))]
    for n in range(done):
        calls = (edit(f"pkg/part_{n}.py"), plan(todo, n + 1))
        messages += turn(n, words["say"].format(n=n), *calls)
        if n == 0:
            messages.append(user(words["remark"].format(n=n)))
    return messages


class Backend:
    """Summaries by the extractive summariser; a fixed answer to a request for a state as JSON."""

    def __init__(self) -> None:
        self.state = ""
        self.calls = 0

    async def models(self) -> list[str]:
        return ["summariser"]

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        messages = request["messages"]
        text = summarise(messages[:-1], request["max_tokens"])
        if messages[-1]["content"] == PROMPT and self.state:
            text = self.state
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        choice = {"index": 0, "message": {"role": "assistant", "content": text}}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "summariser",
            "choices": [{**choice, "finish_reason": "stop"}],
            "usage": usage,
        }


@pytest.fixture
def backend() -> Backend:
    return Backend()


Begin = Callable[..., Context]


@pytest.fixture
async def begin(backend: Backend, tmp_path: Path) -> AsyncIterator[Begin]:
    """Makes the context of a trial, over HTTP to the backend."""

    def make(task: str = "own", trial: str = "t1", budget: Budget = STUDY) -> Context:
        return Context(
            handle=task,
            workspace=None,  # type: ignore[arg-type]  # not looked at by these strategies
            complete=model.complete,
            budget=budget,
            folder=tmp_path / trial,
            write=None,  # type: ignore[arg-type]
        )

    async with Gateway(backend) as gateway:
        model = Model(ModelSpec(name="summariser", base_url=gateway.base_url))
        yield make
        await model.close()


async def injected(strategy: Strategy, view: list[Message], ctx: Context) -> str:
    """What is put into the view of a turn: the carried text of the message at its end."""
    shown = await strategy.before_turn(view, ctx)
    if shown == view:
        return ""
    assert shown[:-1] == view
    return split_carried(shown[-1]["content"])[0][1]


def other_tasks(path: Path, count: int = 8) -> str:
    """A file of items of other tasks; its name."""
    items = [
        {"task": f"other{n % 2}", "kind": "constraints", "text": f"MUST: ship {n}", "paths": []}
        for n in range(count)
    ]
    text = "".join(json.dumps(item) + "\n" for item in items)
    path.write_text(text, encoding="utf-8")
    return str(path)


ARMS: list[tuple[str, dict[str, Any]]] = [
    ("long_mem", {}),
    ("long_mem", {"filter": "all"}),
    ("long_mem", {"filter": "strict"}),
    ("engram", {}),
    ("engram", {"fields": list(ALL_FIELDS)}),
    ("engram", {"mode": "proactive", "plan": "shared"}),
    ("combined", {}),
    ("combined", {"filter": "all", "fields": ["constraints", "progress"]}),
]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("name", "options"), ARMS)
async def test_a_matched_total_holds_in_every_view(
    begin: Begin, tmp_path: Path, name: str, options: dict[str, Any], language: str
) -> None:
    if options.get("filter") == "all":
        options = {**options, "prefill": other_tasks(tmp_path / "other.jsonl", 60)}
    draw = random.Random(f"{name} {language}")
    seen = {"summary": 0, "card": 0, "injected": 0}
    for number, total in enumerate([60, 150, 400, 1000, 2000]):
        budget = Budget("matched", total, 0.1, draw.choice([100, 500]))
        steps = draw.randint(2, 30)
        rules, done = draw.randint(0, 12), draw.randint(0, steps)
        strategy = make_strategy(name, options)
        ctx = begin(trial=f"t{number}", budget=budget)
        compaction = await strategy.compact(history(language, rules, steps, done), ctx)
        used = {k: tokens.count(compaction.artefacts.get(k, "")) for k in ("summary", "card")}
        view, largest = list(compaction.view), 0
        for n in range(3):
            shown = await strategy.before_turn(view, ctx)
            largest = max(largest, tokens.count_view(shown[len(view) :]))
            todo = [WORDS[language]["step"].format(n=i) for i in range(steps)]
            view += turn(100 + n, "", edit(f"pkg/part_{n}.py"), plan(todo, done + n))
        whole = used["summary"] + used["card"] + largest
        if whole > total:
            noted = (*compaction.notes, *ctx.notes)
            assert "constraints_over_budget" in noted, (total, used, largest)
            assert used["summary"] == 0
            lines = compaction.artefacts.get("card", "").splitlines()
            assert all(line.startswith(("- MUST", "## Constraints")) for line in lines)
        for key, value in {**used, "injected": largest}.items():
            seen[key] = max(seen[key], value)
    assert seen["summary"] > 0
    proactive = options.get("mode") == "proactive"
    assert (seen["card"] > 0) == (name != "long_mem" and not proactive)
    assert (seen["injected"] > 0) == (name != "engram" or proactive)


def test_a_card_is_cut_by_its_order_and_never_in_its_rules() -> None:
    whole, notes = render_card(STATE, ALL_FIELDS, None)
    assert not notes
    gone: list[str] = []
    for limit in range(tokens.count(whole), 0, -1):
        text, notes = render_card(STATE, ALL_FIELDS, limit)
        assert "MUST NOT: never call" in text and "MUST: use snake_case" in text
        assert tokens.count(text) <= limit or notes[-1] == "constraints_over_budget"
        gone = list(dict.fromkeys(note for note in notes))
    order = ["next", "entities", "environment", "decisions", "naming", "files", "done", "open"]
    assert gone == [*(f"cut:{name}" for name in order), "constraints_over_budget"]


def test_only_what_a_card_shows_is_cut() -> None:
    text, notes = render_card(STATE, ["constraints"], 1)
    assert notes == ["constraints_over_budget"]
    assert text.splitlines()[0] == "## Constraints"


def test_a_card_of_eight_fields() -> None:
    text, _ = render_card(STATE, ALL_FIELDS, None)
    assert len(ALL_FIELDS) == 8
    assert [line[3:].lower() for line in text.splitlines() if line.startswith("## ")] == list(
        ALL_FIELDS
    )
    assert "## Entities\n- print_all\n- snake_case\n- parse_row\n- test_row_" in text
    assert text.endswith("## Next\n- rename b")


def test_a_card_is_read_back_as_the_state_it_was_made_of() -> None:
    for fields in (ALL_FIELDS, (*FIELDS, "environment")):
        text, _ = render_card(STATE, fields, None)
        assert extract([SYSTEM, user(carried("card", text))]) == STATE


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_proactive_card_follows_the_work(begin: Begin, language: str) -> None:
    ctx = begin()
    strategy = make_strategy("engram", {"mode": "proactive"})
    usual = make_strategy("engram", {})
    at_seam = (await usual.compact(history(language), ctx)).artefacts["card"]
    compaction = await strategy.compact(history(language), ctx)
    view = compaction.view
    assert compaction.artefacts["stored"] == at_seam
    assert at_seam not in view[-1]["content"]  # one card, and that at the end
    assert await injected(strategy, view, ctx) == at_seam
    steps = [WORDS[language]["step"].format(n=n) for n in range(6)]
    later = [*view, *turn(9, "", edit("pkg/part_3.py"), plan(steps, 4))]
    card = await injected(strategy, later, ctx)
    assert f"[x] {steps[3]}" in card and f"[ ] {steps[4]}" in card
    assert "pkg/part_3.py (changed)" in card
    assert "gen_2.py" in card  # what was stated before the seam is still there
    assert await usual.before_turn(later, ctx) == later
    second = await strategy.compact(later, ctx)
    assert await injected(strategy, second.view, ctx) == second.artefacts["stored"] == card


async def test_a_shared_plan_is_taken_word_for_word(begin: Begin) -> None:
    said = [*history(), user("Please also add a line to CHANGELOG.md.")]
    said += turn(
        7,
        "",
        (
            "update_plan",
            {
                "items": [
                    {"text": "FIRST part", "status": "done"},
                    {"text": "second", "status": "doing"},
                ]
            },
        ),
    )
    said += turn(8, "Next: I will write the CHANGELOG.md line.", ("read_file", {"path": "x.py"}))
    shared = await make_strategy("engram", {"plan": "shared"}).compact(said, begin())
    progress = shared.artefacts["card"].split("## Progress\n")[1]
    assert progress == "- [x] FIRST part\n- [ ] second"
    own = await make_strategy("engram", {}).compact(said, begin())
    assert own.artefacts["card"].split("## Progress\n")[1] != progress
    no_plan = [SYSTEM, user("Please rename pkg/a.py to pkg/b.py.")]
    told = await make_strategy("engram", {"plan": "shared"}).compact(no_plan, begin())
    assert told.notes == ("no_plan_call",)
    assert "pkg/a.py" in told.artefacts["card"]


async def test_a_card_only_from_a_share_of_progress_on(begin: Begin) -> None:
    late = make_strategy("engram", {"from_share": 0.7, "mode": "proactive"})
    early = history(steps=10, done=3)
    without = await late.compact(early, begin())
    bare = await make_strategy("bare", {}).compact(early, begin())
    assert without.view == bare.view and without.artefacts["card"] == ""
    assert without.notes == ("below_from_share:0.30",)
    assert await late.before_turn(without.view, begin()) == without.view
    later = history(steps=10, done=7)
    with_card = await late.compact(later, begin())
    usual = await make_strategy("engram", {}).compact(later, begin())
    assert with_card.artefacts["stored"] == usual.artefacts["card"] != ""


ANSWER = {
    "constraints": [{"text": "never ship on Friday", "polarity": "must_not"}],
    "files": [{"path": "pkg/z.py", "role": "to_change"}],
    "naming": ["the table is `t9`"],
    "open": ["write z"],
    "done": [],
    "environment": [],
    "decisions": [],
}


@pytest.mark.parametrize("name", ["engram", "long_mem", "combined"])
@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```"])
async def test_a_state_told_by_a_model(
    begin: Begin, backend: Backend, name: str, fence: str
) -> None:
    backend.state = fence.replace("{}", json.dumps(ANSWER))
    strategy = make_strategy(name, {"extraction": "model"})
    ctx = begin()
    compaction = await strategy.compact(history(), ctx)
    kept = compaction.artefacts.get("card", "") + compaction.artefacts.get("stored", "")
    assert "MUST NOT: never ship on Friday" in kept and "pkg/z.py (to_change)" in kept
    assert "write z" in kept and "part_1" not in kept
    assert not compaction.notes
    assert backend.calls == strategy.calls == 2
    assert ctx.usage.input == 200  # both calls are paid


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"mood": "fine"}, "unknown_key:mood"),
        ({"naming": "t9"}, "wrong_type:naming"),
        ({"done": [" "]}, "wrong_type:done"),
        ({"open": [1]}, "wrong_type:open"),
        ({"files": [{"path": "a"}]}, "wrong_fields:files"),
        ({"files": [{"path": "a", "role": "mine"}]}, "wrong_value:files"),
        ({"constraints": [{"text": "a", "polarity": None}]}, "wrong_type:constraints"),
        ({"constraints": ["a"]}, "wrong_type:constraints"),
        ({"decisions": None}, "missing_key:decisions"),
    ],
)
async def test_what_is_not_exactly_as_asked_falls_back_to_rules(
    begin: Begin, backend: Backend, change: dict[str, Any], why: str
) -> None:
    answer = {**ANSWER, **change}
    if why.startswith("missing"):
        answer.pop("decisions")
    backend.state = json.dumps(answer)
    told = await make_strategy("engram", {"extraction": "model"}).compact(history(), begin())
    rules = await make_strategy("engram", {}).compact(history(), begin())
    assert told.notes == (f"extraction_fell_back:{why}",)
    assert told.artefacts == rules.artefacts


@pytest.mark.parametrize("answer", ["", "[]", "null", '{"naming": '])
async def test_prose_falls_back_to_rules(begin: Begin, backend: Backend, answer: str) -> None:
    backend.state = answer  # "" leaves the summariser's prose
    told = await make_strategy("long_mem", {"extraction": "model"}).compact(history(), begin())
    why = "not_an_object" if answer in ("[]", "null") else "not_json"
    assert told.notes == (f"extraction_fell_back:{why}",)
    assert "gen_1.py" in told.artefacts["stored"]


async def test_filters_of_a_store_with_items_of_other_tasks(begin: Begin, tmp_path: Path) -> None:
    prefill = other_tasks(tmp_path / "other.jsonl")
    shown, notes = {}, {}
    for name in ("task", "all", "strict"):
        strategy = make_strategy("long_mem", {"filter": name, "prefill": prefill})
        ctx = begin(trial=name)
        # The last turn speaks of steps and files, not of the table that was named early on.
        compaction = await strategy.compact(history(), ctx)
        shown[name] = await injected(strategy, compaction.view, ctx)
        notes[name] = (*compaction.notes, *ctx.notes)
        assert not set(compaction.artefacts["stored"].splitlines()) & {"- MUST: ship 0"}
    plain = make_strategy("long_mem", {})
    ctx = begin(trial="plain")
    compaction = await plain.compact(history(), ctx)
    assert (
        shown["task"]
        == compaction.artefacts["stored"]
        == await injected(plain, compaction.view, ctx)
    )
    assert compaction.notes == ()
    assert shown["all"].startswith(shown["task"]) and shown["all"].count("MUST: ship") == 8
    assert "ship" not in shown["task"] + shown["strict"]
    assert notes["task"] == ("foreign_items:0",)
    assert notes["all"][0] == "foreign_items:8" and notes["all"][1].startswith("foreign_cand")
    assert "`table_0`" in shown["task"] and "`table_0`" not in shown["strict"]
    assert "part_2.py" in shown["strict"]
    lost = len(shown["task"].splitlines()) - len(shown["strict"].splitlines())
    assert lost > 0 and f"own_items_left_out:{lost}" in notes["strict"]


async def test_a_changed_number_of_foreign_items_is_noted(begin: Begin, tmp_path: Path) -> None:
    prefill = other_tasks(tmp_path / "other.jsonl", 80)
    strategy = make_strategy("long_mem", {"filter": "all", "prefill": prefill})
    ctx = begin(budget=Budget("study", None, 0.1, 300))
    compaction = await strategy.compact(history(), ctx)
    first = int(compaction.notes[0].split(":")[1])
    assert 0 < first < 80
    await strategy.before_turn(compaction.view, ctx)
    assert ctx.notes == []  # the same again
    ctx.budget = Budget("study", None, 0.1, 200)
    await strategy.before_turn(compaction.view, ctx)
    assert [note.split(":")[0] for note in ctx.notes] == ["foreign_items"]
    assert int(ctx.notes[0].split(":")[1]) < first


@pytest.mark.parametrize(
    ("say", "path", "word"),
    [
        ("Now the tokenizer.", "lib/tokenizer.py", "tokenizer"),
        ("现在处理订单汇总的部分。", "lib/sums.py", "订单汇总"),
    ],
)
async def test_under_a_limit_the_relevant_items_stay(
    begin: Begin, tmp_path: Path, say: str, path: str, word: str
) -> None:
    items = [
        {"task": "other", "kind": "naming", "text": f"name number {n} is `n_{n}`", "paths": []}
        for n in range(40)
    ]
    items.append({"task": "other", "kind": "naming", "text": f"关于 {word}", "paths": []})
    items.append({"task": "other", "kind": "files", "text": f"{path} (changed)", "paths": [path]})
    file = tmp_path / "other.jsonl"
    lines = [json.dumps(item, ensure_ascii=False) + "\n" for item in items]
    file.write_text("".join(lines), encoding="utf-8")
    strategy = make_strategy("long_mem", {"filter": "all", "prefill": str(file)})
    said = [SYSTEM, user("Please rename a."), *turn(1, say, edit(path))]
    ctx = begin(budget=Budget("study", None, 0.1, 80))
    compaction = await strategy.compact(said, ctx)
    shown = await injected(strategy, compaction.view, ctx)
    assert f"{path} (changed)" in shown and f"关于 {word}" in shown
    assert 0 < shown.count("name number") < 10
    assert tokens.count(shown) <= 80


async def test_no_limit_takes_own_rules_before_things_of_the_moment(begin: Begin) -> None:
    strategy = make_strategy("long_mem", {})
    ctx = begin(budget=Budget("study", None, 0.1, 300))
    compaction = await strategy.compact(history(rules=4, steps=30, done=10), ctx)
    shown = await injected(strategy, compaction.view, ctx)
    assert all(f"gen_{n}.py" in shown for n in range(4))
    assert "part_9.py" in shown  # the last turn's file
    assert any(note.startswith("own_items_left_out") for note in compaction.notes)


async def test_a_store_outlives_a_trial_and_keeps_trials_of_a_task_apart(
    begin: Begin, tmp_path: Path
) -> None:
    options = {"filter": "all", "store": str(tmp_path / "shared.db")}
    await make_strategy("long_mem", options).compact(history(rules=2), begin("one", "t1"))
    later = history(rules=6, done=5)
    await make_strategy("long_mem", options).compact(later, begin("one", "t2"))
    ctx = begin("one", "t1")
    again = make_strategy("long_mem", options)
    compaction = await again.compact(history(rules=1), ctx)
    # Neither what the other trial of the task stored nor what an earlier try of this one had.
    assert await injected(again, compaction.view, ctx) == compaction.artefacts["stored"]
    assert "gen_1.py" not in compaction.artefacts["stored"]
    other = make_strategy("long_mem", options)
    ctx = begin("two", "t3", Budget("study", None, 0.1, 2000))
    compaction = await other.compact(history("zh"), ctx)
    shown = await injected(other, compaction.view, ctx)
    assert "Do not edit pkg/gen_5.py" in shown and "第 2 个生成器" in shown
    # Stored by two trials, given once.
    assert shown.count("MUST NOT: Do not edit pkg/gen_0.py") == 1


async def test_a_private_store_holds_nothing_of_another_trial(begin: Begin) -> None:
    await make_strategy("long_mem", {}).compact(history(rules=5), begin("one", "t1"))
    ctx = begin("two", "t2")
    strategy = make_strategy("long_mem", {"filter": "all"})
    compaction = await strategy.compact(history("zh"), ctx)
    assert await injected(strategy, compaction.view, ctx) == compaction.artefacts["stored"]


@pytest.mark.parametrize("name", ["long_mem", "combined"])
async def test_a_second_seam_keeps_what_the_first_one_stored(begin: Begin, name: str) -> None:
    ctx = begin()
    strategy = make_strategy(name, {})
    view = (await strategy.compact(history(), ctx)).view
    steps = [WORDS["en"]["step"].format(n=n) for n in range(6)]
    since = [
        *view,
        *turn(20, "Done.", edit("pkg/part_3.py"), plan(steps, 4)),
        user("Forget what I said about pkg/gen_1.py, you may touch it."),
        user("From now on never add a print call."),
    ]
    second = await strategy.compact(since, ctx)
    stored = second.artefacts["stored"]
    assert "gen_2.py" in stored and "`table_0`" in stored and "print call" in stored
    assert "pkg/part_3.py (changed)" in stored
    assert "continue" not in stored  # the word after what is carried is no step
    open_now = stored if name == "long_mem" else second.artefacts["card"]
    assert f"[ ] {steps[4]}" in open_now and f"[ ] {steps[3]}" not in open_now
    assert "gen_2.py" in await injected(strategy, second.view, ctx)


def damage(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 100)


def truncate(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def other_table(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE items (x)")
    db.close()


@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        (damage, "store_damaged"),
        (truncate, "store_damaged"),
        (other_table, "store_damaged"),
        (Path.unlink, "store_missing"),
    ],
)
async def test_a_store_that_fails_after_the_seam_is_named(
    begin: Begin, tmp_path: Path, harm: Callable[[Path], None], kind: str
) -> None:
    path = tmp_path / "shared.db"
    strategy = make_strategy("long_mem", {"store": str(path)})
    ctx = begin()
    view = (await strategy.compact(history(rules=40, steps=60), ctx)).view
    harm(path)
    with pytest.raises(StrategyError) as caught:
        await strategy.before_turn(view, ctx)
    assert (caught.value.boundary, caught.value.kind) == ("strategy", kind)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


async def test_a_store_without_a_folder_and_a_locked_one(
    begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_store, "TIMEOUT_S", 0.05)
    missing = make_strategy("combined", {"store": str(tmp_path / "no" / "shared.db")})
    with pytest.raises(StrategyError) as caught:
        await missing.compact(history(), begin())
    assert caught.value.kind == "store_missing"
    path = tmp_path / "shared.db"
    strategy = make_strategy("long_mem", {"store": str(path)})
    await strategy.compact(history(), begin())
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StrategyError) as caught:
        await strategy.compact(history(), begin())
    assert caught.value.kind == "store_locked" and "is locked" in str(caught.value)
    holder.close()
    assert (await strategy.compact(history(), begin())).artefacts["stored"]


def test_items_of_a_store_come_back_as_they_were(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path / "a 100% ? # name.db")
    own = [
        Item("一", "files", "源/表.py (changed)", ("源/表.py",), 3, 0),
        Item("一", "naming", "n"),
    ]
    foreign = [Item("b", "open", "[ ] x", (), 1, 2)]
    for _ in range(2):  # writing the same again adds nothing
        store.keep("一", "s", own, foreign)
    assert store.own("一", "s") == own and store.foreign("一") == foreign
    assert store.own("一", "other") == [] and store.foreign("b") == own


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("long_mem", {"filter": "tusk"}, "nearest: task"),
        ("long_mem", {"kinds": ["constraint"]}, "nearest: constraints"),
        ("long_mem", {"prefill": "/no/such/file"}, "/no/such/file"),
        ("engram", {"mode": "proactiv"}, "nearest: proactive"),
        ("engram", {"plan": "both"}, "strategy.plan"),
        ("engram", {"budget": "nine"}, "strategy.budget"),
        ("engram", {"from_share": 70}, "expected 0 to 1"),
        ("engram", {"extraction": "models"}, "nearest: model"),
        ("combined", {"fields": ["entitys"]}, "nearest: entities"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(
    name: str, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(UserError) as caught:
        make_strategy(name, options)
    assert told in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"task": "a", "kind": "open", "text": "b"}',
        '{"task": "a", "kind": "rules", "text": "b", "paths": []}',
        '{"task": "a", "kind": "open", "text": "", "paths": []}',
        '{"task": "a", "kind": "open", "text": "b", "paths": "c"}',
        '{"task": "a", "kind": "open", "text": "b", "paths": [], "more": 1}',
    ],
)
def test_a_damaged_line_of_a_prefill_is_named(tmp_path: Path, line: str) -> None:
    path = Path(other_tasks(tmp_path / "other.jsonl", 2))
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 3"):
        make_strategy("long_mem", {"prefill": str(path)})


RANKED = """
from harness.strategies.long_mem import _scores
texts = [f"rule {n}: the tokenizer of part {n % 7} keeps 订单汇总 {n % 5}" for n in range(200)]
scores = _scores(texts, "tokenizer part 3 订单汇总 4 keeps rule")
print(sorted(range(200), key=lambda i: (-scores[i], i)))
"""


def test_the_order_of_relevance_is_the_same_in_every_process() -> None:
    found = set()
    for seed in ("0", "7"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", RANKED]
        done = subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, encoding="utf-8", check=True
        )
        found.add(done.stdout)
    assert len(found) == 1


def records(run: Path) -> list[dict[str, Any]]:
    lines = (run / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
def test_memories_of_a_run_fill_the_store_of_another_and_a_broken_store_costs_one_arm(
    tmp_path: Path,
) -> None:
    common = [
        "study.controls=[]",
        "study.beside=[]",
        f"run.results={tmp_path}",
        "strategy=long_mem",
    ]
    two = "tasks.only=[rename/tally_ledger,feature/calc_units]"
    done = records_only("run", *common, two, "run.name=first")
    assert done.returncode == 0, done.stderr
    memory = tmp_path / "memory.jsonl"
    done = seambench("export", "memory", str(tmp_path / "first"), "--to", str(memory))
    assert done.returncode == 0 and "2 tasks" in done.stdout, done.stderr
    items = [json.loads(line) for line in memory.read_text(encoding="utf-8").splitlines()]
    assert len({item["task"] for item in items}) == 2
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"not a database" * 100)
    variants = (
        f"[{{strategy: long_mem, options: {{filter: all, prefill: {memory}}}}},"
        f"{{strategy: long_mem, options: {{store: {broken}}}}}]"
    )
    one = "tasks.only=[rename/tally_ledger]"
    done = records_only("run", *common, one, "run.name=second", f"study.variants={variants}")
    by_arm = {record["arm"]: record for record in records(tmp_path / "second")}
    failed = by_arm["long_mem[store]"]
    assert (failed["status"], failed["reason"]) == ("error", "strategy:store_damaged")
    assert str(broken) in failed["attempts"][0]["text"]
    assert (
        by_arm["long_mem"]["status"] == by_arm["long_mem[filter=all,prefill]"]["status"] == "scored"
    )
    counts = [
        n for n in by_arm["long_mem[filter=all,prefill]"]["notes"] if n.startswith("foreign_items:")
    ]
    own = {item["task"] for item in items if "tally" in json.dumps(item)}
    foreign = [item for item in items if item["task"] not in own]
    assert len(own) == 1 and 0 < int(counts[0].split(":")[1]) <= len(foreign)
