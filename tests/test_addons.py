"""Add-ons around strategies: what they ask, refuse, correct and keep, and what is left of a budget.

The views come from stored histories, see views.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from views import STUDY, carried, context, history, matched, put_in, require_valid

from harness import tokens
from harness.cell import Arm
from harness.errors import UserError
from harness.extract import extract
from harness.strategies import ADDONS, REGISTRY, make_strategy
from harness.strategies.base import Context, Strategy
from harness.text import CARRIED_OPEN, content_text, split_carried
from harness.transcript import Turn
from harness.types import Message, Recovery, ToolCall, Usage

STATE = ("report.py: print local time", "alarm.py: compare aware times")
REST = ("tests for a night across the clock change", "CHANGELOG entry")
FILES = ("alarm.py", "CHANGELOG.md")
CORRECTIONS = [
    {"add": "MUST NOT: rename the stations", "to": "constraints"},
    {"replace": "[ ] CHANGELOG entry", "with": "[x] CHANGELOG entry"},
    {"remove": "[x] station.py: aware times"},
]


@pytest.fixture
def corrections(tmp_path: Path) -> str:
    path = tmp_path / "corrections.json"
    path.write_text(json.dumps(CORRECTIONS), encoding="utf-8")
    return str(path)


def wrapped(name: str, *addons: dict[str, Any], **options: Any) -> Strategy:
    return make_strategy(name, options, addons=addons)


def said(text: str, number: int = 1) -> Turn:
    return Turn(number, text, (), {}, Usage(), "recovery")


async def steps(
    strategy: Strategy, view: Sequence[Message], ctx: Context, answer: str
) -> list[Recovery]:
    """All recovery steps, each of whose turns is answered with the same text."""
    turns: list[Turn] = []
    found: list[Recovery] = []
    while step := await strategy.recover(view, turns, ctx):
        found.append(step)
        turns += [said(answer)] * bool(step.turns)
    return found


@pytest.mark.parametrize("source", ["history", "history_zh"])
async def test_the_question_is_asked_once(source: str, tmp_path: Path) -> None:
    ctx = context(tmp_path)
    strategy = wrapped("bare", {"name": "self_check"})
    made = await strategy.compact(history(source), ctx)
    found = await steps(strategy, made.view, ctx, "Nothing comes to mind.")
    assert [step.turns for step in found] == [1]
    assert "\nState in at most six sentences the task" in content_text(found[0].messages[0])
    assert CARRIED_OPEN.search(content_text(found[0].messages[0]))
    assert any(note.startswith("self_check:0/") for note in ctx.notes)


@pytest.mark.parametrize(
    ("answer", "named", "shown"),
    [
        ("", 0, True),
        # Two files and four steps are open. These name the file and the step in it.
        ("alarm.py is next.", 2, True),
        # Half of them is a match.
        ("alarm.py, and then the report prints local time.", 3, False),
        ("; ".join((*STATE, *REST, *FILES)), 6, False),
    ],
)
async def test_a_mismatch_shows_the_card(
    answer: str, named: int, shown: bool, tmp_path: Path
) -> None:
    ctx = context(tmp_path)
    strategy = wrapped("bare", {"name": "self_check", "mode": "ask_and_restore"})
    made = await strategy.compact(history("history"), ctx)
    found = await steps(strategy, made.view, ctx, answer)
    assert f"self_check:{named}/6" in ctx.notes
    assert ("self_check:restored" in ctx.notes) == shown
    assert [step.turns for step in found] == ([1, 0] if shown else [1])
    if shown:
        card = carried(found[1].messages, "card")
        assert "MUST NOT: Never edit anything under vendor/" in card and "[ ] alarm.py" in card


async def test_both_modes_ask_the_same_and_only_one_restores(tmp_path: Path) -> None:
    ctx = context(tmp_path)
    strategy = wrapped("bare", {"name": "self_check", "mode": "ask_only"})
    made = await strategy.compact(history("history"), ctx)
    assert len(await steps(strategy, made.view, ctx, "")) == 1


async def test_a_second_seam_asks_again_about_its_own_state(tmp_path: Path) -> None:
    strategy = wrapped("bare", {"name": "self_check"})
    first = context(tmp_path / "1")
    made = await strategy.compact(history("history"), first)
    await steps(strategy, made.view, first, "")
    second = context(tmp_path / "2")
    made = await strategy.compact([*made.view, {"role": "user", "content": "Go on."}], second)
    assert len(await steps(strategy, made.view, second, "")) == 1


AROUND = [
    ({"name": "self_check"},),
    ({"name": "self_check", "mode": "ask_and_restore"},),
    ({"name": "idempotent_tools"},),
    ({"name": "pin", "texts": ["The station names stay. " * 30]},),
    ({"name": "card_edit"},),
    ({"name": "pin", "texts": ["Short."]}, {"name": "self_check", "mode": "ask_and_restore"}),
]


@pytest.mark.parametrize("total", [60, 150, 400, 1000])
@pytest.mark.parametrize("addons", AROUND, ids=lambda a: "+".join(x["name"] for x in a))
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bare", {}),
        ("long_mem", {}),
        ("engram", {}),
        ("engram", {"mode": "proactive"}),
        ("combined", {}),
        ("recent_n", {}),
    ],
)
@pytest.mark.parametrize("source", ["history", "history_zh"])
async def test_a_matched_total_holds_with_what_add_ons_bring(
    source: str,
    name: str,
    options: dict[str, Any],
    addons: Sequence[dict[str, Any]],
    total: int,
    corrections: str,
    tmp_path: Path,
) -> None:
    given = [{**a, "file": corrections} if a["name"] == "card_edit" else a for a in addons]
    before, ctx = history(source), context(tmp_path, matched(total))
    strategy = wrapped(name, *given, **options)
    made = await strategy.compact(before, ctx)
    require_valid(made.view, before)
    recovery = [m for s in await steps(strategy, made.view, ctx, "") for m in s.messages]
    shown = await strategy.before_turn([*made.view, *recovery], ctx)
    # A card never cuts the user's rules, and says so where they alone exceed what is left to it.
    rules_alone = "constraints_over_budget" in (*made.notes, *ctx.notes)
    assert put_in(shown) - strategy.fixed_tokens <= total or (rules_alone and total < 400)


class TestIdempotentTools:
    DONE = "LIMIT = 310\nLATE = 5\n"  # what views.context leaves in tidewatch/alarm.py

    @pytest.fixture
    async def ready(self, tmp_path: Path) -> tuple[Strategy, Context]:
        """After a history in which four commands ran, one of them without success."""
        ctx = context(tmp_path)
        strategy = wrapped("bare", {"name": "idempotent_tools"})
        runs = [
            ("echo '- new' >> CHANGELOG.md", "(no output)"),
            ("python -m pytest -q", "1 passed"),
            ("git mv a.py b.py", "fatal: bad source\nexit code 128\n"),
            ('grep -n ">>" notes.txt 2>> /dev/null', "3: >>"),
        ]
        messages = history("history")
        for number, (command, result) in enumerate(runs):
            function = {"name": "run", "arguments": json.dumps({"command": command})}
            call = {"id": f"r{number}", "type": "function", "function": function}
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        await strategy.compact(messages, ctx)
        return strategy, ctx

    @pytest.mark.parametrize(
        ("tool", "args", "refused"),
        [
            ("edit_file", {"old": "LIMIT = 300", "new": "LIMIT = 310"}, True),
            # An insertion: the old text is still there, but only within the new one.
            ("edit_file", {"old": "LIMIT = 310", "new": "LIMIT = 310\nLATE = 5"}, True),
            ("edit_file", {"old": "LATE = 5", "new": "LATE = 6"}, False),
            ("edit_file", {"old": "LIMIT = 300", "new": "LIMIT = 320"}, False),
            ("edit_file", {"old": "LATE = 5\n", "new": ""}, False),
            ("write_file", {"content": DONE}, True),
            ("write_file", {"content": DONE + "\n"}, False),
            ("write_file", {"content": DONE, "path": "tidewatch/new.py"}, False),
            ("write_file", {"content": DONE, "path": "../out.py"}, False),
            ("read_file", {}, False),
            ("run", {"command": "echo '- new'  >>  CHANGELOG.md"}, True),
            ("run", {"command": "echo '- other' >> CHANGELOG.md"}, False),
            ("run", {"command": "python -m pytest -q"}, False),
            ("run", {"command": "git mv a.py b.py"}, False),
            ("run", {"command": 'grep -n ">>" notes.txt 2>> /dev/null'}, False),
        ],
    )
    async def test_refuses_what_is_done_and_nothing_else(
        self, ready: tuple[Strategy, Context], tool: str, args: dict[str, str], refused: bool
    ) -> None:
        strategy, ctx = ready
        if tool != "run":
            args = {"path": "tidewatch/alarm.py", **args}
        told = strategy.refuse(ToolCall("1", tool, args), ctx)
        assert (told is not None) == refused
        assert (f"refused:{tool}" in ctx.notes) == refused
        assert told is None or "Not done again" in told


async def edited(file: str, ctx: Context, name: str = "engram", **options: Any) -> dict[str, str]:
    strategy = wrapped(name, {"name": "card_edit", "file": file}, **options)
    made = await strategy.compact(history("history"), ctx)
    require_valid(made.view, history("history"))
    assert carried(made.view, "card") == made.artefacts.get("card", "")
    return {**made.artefacts, "notes": " ".join(made.notes)}


async def test_a_card_is_corrected_and_both_versions_are_kept(
    corrections: str, tmp_path: Path
) -> None:
    made = await edited(corrections, context(tmp_path))
    before, after = made["card_before"].split("\n"), made["card"].split("\n")
    assert [line for line in before if line not in after] == [
        "- [x] station.py: aware times",
        "- [ ] CHANGELOG entry",
    ]
    assert [line for line in after if line not in before] == [
        "- MUST NOT: rename the stations",
        "- [x] CHANGELOG entry",
    ]


async def test_a_later_seam_reads_the_corrected_card(corrections: str, tmp_path: Path) -> None:
    strategy = wrapped("engram", {"name": "card_edit", "file": corrections})
    made = await strategy.compact(history("history"), context(tmp_path))
    state = extract(made.view)
    assert "rename the stations" in [rule.text for rule in state.constraints]
    assert "CHANGELOG entry" in state.done


async def test_a_card_kept_up_at_every_turn_is_corrected_there(
    corrections: str, tmp_path: Path
) -> None:
    ctx = context(tmp_path)
    strategy = wrapped("engram", {"name": "card_edit", "file": corrections}, mode="proactive")
    made = await strategy.compact(history("history"), ctx)
    shown = await strategy.before_turn(made.view, ctx)
    assert "MUST NOT: rename the stations" in carried(shown, "card")
    assert "station.py: aware times" not in carried(shown, "card")


async def test_a_line_that_is_not_there_and_no_card_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text('- remove: "MUST: sing"\n', encoding="utf-8")
    assert "card_edit:no_line:1" in (await edited(str(path), context(tmp_path)))["notes"]
    assert (
        "card_edit:no_card" in (await edited(str(path), context(tmp_path / "2"), "bare"))["notes"]
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{", ("no YAML",)),
        ("[]", ("expected a list",)),
        ("remove: x", ("expected a list",)),
        ("- remvoe: x", ("1", "remvoe", "remove")),
        ("- remove: [x]", ("1", "one line of text")),
        ('- {add: "MUST: x", to: constraint}', ("constraint", "constraints")),
        ('- {add: "never x", to: constraints}', ("never x", "MUST NOT")),
        ('- {remove: x}\n- {replace: "[ ] x", with: "y"}', ("2", "'y'", "[x]")),
        (None, ("cannot be read",)),
    ],
)
def test_corrections_that_are_not_valid(
    text: str | None, parts: Sequence[str], tmp_path: Path
) -> None:
    path = tmp_path / "c.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        wrapped("engram", {"name": "card_edit", "file": str(path)})
    for part in (str(path), *parts):
        assert part in str(error.value)


async def test_pins_stay_word_for_word_over_seams(tmp_path: Path) -> None:
    strategy = wrapped("bare", {"name": "pin", "texts": ["The port is 8123."]})
    own = [
        {"role": "user", "content": "Thanks. Remember: gauge 7 is broken. And go on."},
        {"role": "user", "content": "记住，日期格式不要改。"},
        {"role": "assistant", "content": "I will remember: nothing."},
    ]
    before = [*history("history"), *own]
    made = await strategy.compact(before, context(tmp_path / "1"))
    require_valid(made.view, before)
    wanted = ["The port is 8123.", "Remember: gauge 7 is broken.", "记住，日期格式不要改。"]
    assert (
        carried(made.view, "pinned").split("\n") == wanted == made.artefacts["pinned"].split("\n")
    )
    later = [*made.view, {"role": "user", "content": "Remember: no tea."}]
    again = await strategy.compact(later, context(tmp_path / "2"))
    assert carried(again.view, "pinned").split("\n") == [*wanted, "Remember: no tea."]
    shown = [k for m in again.view for k, _ in split_carried(content_text(m)) if k == "pinned"]
    assert len(shown) == 1


async def test_pins_over_half_of_a_matched_total_are_cut_whole(tmp_path: Path) -> None:
    texts = [f"Pin number {n} is a sentence." for n in range(40)]
    strategy = wrapped("bare", {"name": "pin", "texts": texts})
    made = await strategy.compact(history("history"), context(tmp_path, matched(200)))
    kept = made.artefacts["pinned"].split("\n")
    assert kept == texts[: len(kept)] and 0 < len(kept) < len(texts)
    assert tokens.count(made.artefacts["pinned"]) <= 100
    assert "pins_cut" in made.notes


@pytest.mark.parametrize("name", REGISTRY)
@pytest.mark.parametrize("addon", ["self_check", "idempotent_tools", "pin"])
async def test_an_add_on_without_occasion_changes_no_view(
    name: str, addon: str, tmp_path: Path
) -> None:
    if REGISTRY[name].prefix == "own":
        pytest.skip("looks at files that a run lays down; see the sweep in test_listing.py")
    usual = await wrapped(name).compact(history("history"), context(tmp_path / "1"))
    around = wrapped(name, {"name": addon})
    made = await around.compact(history("history"), context(tmp_path / "2", STUDY))
    assert made.view == usual.view and around.name == name


def test_labels_name_add_ons_and_their_options() -> None:
    addons = [{"name": "self_check", "mode": "ask_only"}, {"name": "idempotent_tools"}]
    assert Arm("bare", {}, None, addons).label == "bare+self_check[mode=ask_only]+idempotent_tools"
    assert set(ADDONS) == {"self_check", "idempotent_tools", "card_edit", "pin"}
