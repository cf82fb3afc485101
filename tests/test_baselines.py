"""What single baselines of the field keep and leave out, beyond their golden views."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from runs import run_here
from views import carried, compact, context, extractive, history, matched

from harness import tokens
from harness.strategies.git_card import diff_stat
from harness.text import content_text
from harness.types import Message


class Script:
    """A summariser with prepared answers, which remembers what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def __call__(self, messages: Sequence[Message], limit: int) -> str:
        self.prompts.append(content_text(messages[-1]))
        return self.answers.pop(0)


async def test_recent_n_keeps_whole_turns(tmp_path: Path) -> None:
    before = history("history")
    made = await compact("recent_n", before, context(tmp_path), messages=4)
    assert made.view[2:] == before[-3:]  # the turn before has three messages, too many for 4
    assert "left out" in content_text(made.view[1])


async def test_masks_stub_old_results_only(tmp_path: Path) -> None:
    before = history("history")
    made = await compact("observation_mask", before, context(tmp_path))
    results = [m["content"] for m in before if m["role"] == "tool"]
    shown = [m["content"] for m in made.view if m["role"] == "tool"]
    assert shown[-10:] == results[-10:] and len(shown) == len(results)
    assert all(text.endswith("left out]") and "\n" not in text for text in shown[:-10])
    assert [m for m in made.view if m["role"] != "tool"] == [
        m for m in before if m["role"] != "tool"
    ]
    again = await compact("observation_mask", made.view, context(tmp_path / "2"))
    assert again.view == made.view


async def test_excluded_tools_keep_their_results(tmp_path: Path) -> None:
    before = history("history")
    ctx = context(tmp_path)
    made = await compact("clear_tool_results", before, ctx, exclude=["ask_user"])
    assert "local time of Europe/London; from 2024" in json.dumps(made.view)
    made = await compact("clear_tool_results", before, ctx)
    assert "local time of Europe/London; from 2024" not in json.dumps(made.view)


async def test_user_words_stay_verbatim(tmp_path: Path) -> None:
    before = history("history")
    said = [m for m in before if m["role"] == "user"]
    for name in ("user_turns", "codex_handoff"):
        made = await compact(name, before, context(tmp_path / name))
        assert made.view[1:4] == said
    few = await compact("codex_handoff", before, context(tmp_path / "few"), user_tokens=50)
    assert few.view[1:-1] == said[-1:] and "user_messages_cut" in few.notes
    pins = await compact("pinned", before, context(tmp_path / "pins"))
    assert pins.view[1] == said[0]
    assert "vendor/" in carried(pins.view, "card") and "dependencies" in carried(pins.view, "card")


async def test_pinned_rules_survive_two_seams(tmp_path: Path) -> None:
    first = await compact("pinned", history("history"), context(tmp_path / "1"), first=0)
    second = await compact("pinned", first.view, context(tmp_path / "2"), first=0)
    assert carried(second.view, "card") == carried(first.view, "card") != ""


async def test_git_card_tells_what_the_workspace_and_the_last_check_tell(tmp_path: Path) -> None:
    made = await compact("git_card", history("history"), context(tmp_path))
    card = carried(made.view, "card")
    assert "?? notes.txt" in card and " M tidewatch/alarm.py" in card
    assert "tidewatch/alarm.py | +2 -1" in card and "+LATE = 5" in card
    assert "FAILED tests/test_report.py::test_stamp" in card and "ERROR tests/test_alarm.py" in card
    assert "test_station.py::test_touch" not in card  # failed in an earlier check


def test_diff_stat_counts_lines_that_look_like_headers() -> None:
    diff = (
        "diff --git a/x y.sql b/x y.sql\n--- a/x y.sql\n+++ b/x y.sql\n@@ -1,2 +1,2 @@\n"
        "--- an old comment\n+-- a new one\n same\ndiff --git a/z b/z\ndeleted file mode 100644\n"
    )
    assert diff_stat(diff) == "x y.sql | +1 -1\nz | +0 -0"


FORM = "<goal> <constraints> <knowledge> <artifacts> <files> <recent> <tasks>"


@pytest.mark.parametrize(
    ("second", "kept", "notes"),
    [
        (f"{FORM} better", f"{FORM} better", []),
        ("", f"{FORM} first", ["check_dropped:empty_summary"]),
        ("word " * 5000, f"{FORM} first", ["check_dropped:summary_cut"]),
        ("no form at all", f"{FORM} first", ["check_dropped:sections_missing"]),
    ],
)
async def test_second_pass_replaces_the_first_unless_it_is_worse(
    second: str, kept: str, notes: list[str], tmp_path: Path
) -> None:
    script = Script(f"{FORM} first", second)
    ctx = context(tmp_path, say=script)
    made = await compact("state_snapshot", history("history"), ctx)
    assert made.artefacts["summary"] == kept and ctx.notes == notes
    assert f"{FORM} first" in script.prompts[1] and not script.answers


async def test_a_second_pass_in_form_clears_the_first_ones_fault(tmp_path: Path) -> None:
    ctx = context(tmp_path, say=Script("no form at all", f"{FORM} better"))
    made = await compact("state_snapshot", history("history"), ctx)
    assert made.artefacts["summary"] == f"{FORM} better" and ctx.notes == []


async def test_iterative_updates_and_lists_files(tmp_path: Path) -> None:
    prompts: list[str] = []

    def say(messages: Sequence[Message], limit: int) -> str:
        prompts.append(content_text(messages[-1]))
        return extractive(messages, limit)

    first = await compact("iterative", history("history"), context(tmp_path / "1", say=say))
    files = carried(first.view, "card")
    assert "tidewatch/station.py (changed)" in files and "report.py (changed)" in files
    opened = {"id": "call_99", "type": "function"}
    opened["function"] = {"name": "read_file", "arguments": '{"path": "tidewatch/alarm.py"}'}
    later = [
        *first.view,
        {"role": "assistant", "content": None, "tool_calls": [opened]},
        {"role": "tool", "tool_call_id": "call_99", "content": "LIMIT = 300\n"},
    ]
    second = await compact("iterative", later, context(tmp_path / "2", say=say))
    assert "update" not in prompts[0] and "up to date" in prompts[1]
    listed = carried(second.view, "card")
    assert "tidewatch/alarm.py (read_only)" in listed
    assert set(files.splitlines()) <= set(listed.splitlines())


async def test_trim_input_bounds_what_the_summariser_sees(tmp_path: Path) -> None:
    sizes: list[int] = []

    def say(messages: Sequence[Message], limit: int) -> str:
        sizes.append(tokens.count_view(messages[:-1]))
        return "short"

    for trim in (None, 200):
        ctx = context(tmp_path / str(trim), say=say)
        await compact("extract_sections", history("history"), ctx, trim_input=trim)
    system = tokens.count_view(history("history")[:1])
    assert sizes[1] <= 200 + system < sizes[0]


async def test_cliff_goes_down_its_rungs(tmp_path: Path) -> None:
    before = history("history")
    notes = []
    for number, total in enumerate([10_000, 1500, 600, 40]):
        made = await compact("cliff", before, context(tmp_path / str(number), matched(total)))
        notes.append(made.notes)
    assert notes[0] == () and notes[1] != notes[0]
    assert "rung:3" in notes[2] and "request_over_budget" in notes[3]
    whole = await compact("cliff", before, context(tmp_path / "study"))
    log = carried(whole.view, "summary")
    assert "call: run(" in log and "class Station" not in log
    assert whole.view[1] == before[1] and whole.view[-1] == before[-1]


@pytest.mark.slow
async def test_notes_of_the_summariser_reach_the_record(tmp_path: Path) -> None:
    folder, _ = await run_here(
        *("strategy=five_headings", "study.controls=[]", "tasks.only=[rename/tally_ledger]"),
        *("seam=mid", f"run.results={tmp_path}", "run.name=r"),
    )
    notes = {r["arm"]: r["notes"] for r in folder.records()}
    # The reference worker's summariser follows no prompt, so it writes no headings.
    assert notes["five_headings"] == ["sections_missing"] and notes["bare"] == []
