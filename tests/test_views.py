"""The exact view that every strategy makes of one stored history, and what holds for all views.

After a wanted change: `pytest tests/test_views.py --refresh-golden`, then read the difference.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from views import (
    GOLDEN,
    STUDY,
    carried,
    compact,
    context,
    extractive,
    history,
    matched,
    put_in,
    require_valid,
)

from harness.strategies import REGISTRY, make_strategy
from harness.strategies.base import Budget, system_of
from harness.text import CARRIED_OPEN, content_text
from harness.types import Message

NAMES = [name for name, kind in REGISTRY.items() if kind.prefix == "shared"]
WITH_MODEL = [name for name in NAMES if REGISTRY[name].calls]
HISTORIES = ("history", "history_zh")


@pytest.mark.parametrize("name", NAMES)
async def test_view_is_the_golden_one(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    ctx = context(tmp_path)
    made = await compact(name, history("history"), ctx)
    found = {"notes": [*made.notes, *ctx.notes], "view": made.view}
    path = GOLDEN / f"{name}.json"
    if request.config.getoption("--refresh-golden"):
        text = json.dumps(found, ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8"))


def test_no_golden_view_is_without_its_strategy() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == {*NAMES, *HISTORIES}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("source", HISTORIES)
async def test_views_are_valid_and_repeatable(name: str, source: str, tmp_path: Path) -> None:
    before = history(source)
    given = json.dumps(before)
    first = await compact(name, before, context(tmp_path / "1"))
    second = await compact(name, before, context(tmp_path / "2"))
    require_valid(first.view, before)
    assert first == second
    assert json.dumps(before) == given  # the history itself is left alone


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("source", HISTORIES)
async def test_calls_are_as_declared(name: str, source: str, tmp_path: Path) -> None:
    asked: list[int] = []

    def say(messages: Sequence[Message], budget: int) -> str:
        asked.append(budget)
        return extractive(messages, budget)

    await compact(name, history(source), context(tmp_path, say=say))
    assert len(asked) == make_strategy(name, {}).calls


@pytest.mark.parametrize("total", [150, 400, 700, 1000, 2500])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("source", HISTORIES)
async def test_matched_budget_holds(name: str, source: str, total: int, tmp_path: Path) -> None:
    before = history(source)
    strategy = make_strategy(name, {})
    ctx = context(tmp_path, matched(total))
    made = await strategy.compact(before, ctx)
    require_valid(made.view, before)
    shown = await strategy.before_turn(made.view, ctx)
    assert put_in(shown) - strategy.fixed_tokens <= total


@pytest.mark.parametrize("budget", [STUDY, matched(700)], ids=["study", "matched"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("source", HISTORIES)
async def test_a_second_seam_works_on_the_first_ones_view(
    name: str, source: str, budget: Budget, tmp_path: Path
) -> None:
    """The summary of the first seam is shown to the second one's summariser, or none was asked."""
    ctx = context(tmp_path / "1", budget)
    first = await compact(name, history(source), ctx)
    shown: list[Message] = []

    def say(messages: Sequence[Message], limit: int) -> str:
        shown.extend(messages)
        return extractive(messages, limit)

    work = history(source)[-6:]
    work = [m for m in work if m["role"] != "tool" and not m.get("tool_calls")]
    later = [*first.view, *work, {"role": "user", "content": "Go on with what is left."}]
    ctx = context(tmp_path / "2", budget, say)
    second = await compact(name, later, ctx)
    require_valid(second.view, later)
    if make_strategy(name, {}).calls and "no_room" not in ctx.notes:
        assert carried(first.view, "summary") in carried(shown, "summary")
    opening = second.view[len(system_of(second.view))]
    assert len(CARRIED_OPEN.findall(content_text(opening))) <= 2  # no layers of older ones


@pytest.mark.parametrize("name", WITH_MODEL)
@pytest.mark.parametrize(
    ("answer", "note"),
    [("", "empty_summary"), ("word " * 5000, "summary_cut"), ("all", "summary_not_shorter")],
)
async def test_a_bad_summary_is_handled_and_noted(
    name: str, answer: str, note: str, tmp_path: Path
) -> None:
    before = history("history")
    budget = matched(700)
    if answer == "all":
        answer = "\n".join(content_text(m) + json.dumps(m.get("tool_calls")) for m in before)
    ctx = context(tmp_path, budget, lambda messages, limit: answer)
    made = await compact(name, before, ctx)
    require_valid(made.view, before)
    assert note in ctx.notes
    assert put_in(made.view) - make_strategy(name, {}).fixed_tokens <= 700
    if not answer:
        assert "[carried:summary]" not in json.dumps(made.view)


def call(number: int, arguments: str) -> Message:
    function = {"name": "read_file", "arguments": arguments}
    made = {"id": f"odd_{number}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [made]}


ODD = [
    {"role": "user", "content": [{"type": "text", "text": "Fix the gauge."}]},
    {"role": "tool", "tool_call_id": "gone", "content": "a result without its call"},
    call(1, "no json"),
    {"role": "tool", "tool_call_id": "odd_1", "content": "error: the arguments are no JSON"},
    call(2, "[1]"),
    {"role": "tool", "tool_call_id": "odd_2", "content": ""},
    {"role": "assistant", "content": ""},
    call(3, "{}"),
]


@pytest.mark.parametrize("size", range(len(ODD) + 1))
@pytest.mark.parametrize("budget", [STUDY, matched(60)], ids=["study", "matched"])
@pytest.mark.parametrize("name", NAMES)
async def test_odd_histories_give_valid_views(
    name: str, budget: Budget, size: int, tmp_path: Path
) -> None:
    """Also in the middle of a turn: a call that waits for its result, one that lost it."""
    before = [{"role": "system", "content": "Work."}, *ODD[:size]]
    made = await compact(name, before, context(tmp_path, budget))
    require_valid(made.view, before)
