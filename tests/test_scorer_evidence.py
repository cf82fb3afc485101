"""What a verdict says: turn, place, words, and the modes that follow from them, to the letter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fixtures import Data, fixture_files, named
from windows import ECHO, Case, ask, call, case_of, failed, only, read, registered, run, turn

from harness.rubric import Rubric
from harness.scorer import claims_finished, questions, wrong_place
from harness.types import Evidence, WindowResult

PRINTING = {"pkg/echo.py": ECHO + "print(1)\n"}


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return registered()


@pytest.fixture
def case(rubric: Rubric) -> Case:
    return case_of(rubric)


def evidence_of(result: WindowResult, item: str) -> list[Evidence]:
    return result["items"][item]["evidence"]


def with_fact(rubric: Rubric, fact: str, **check: Any) -> Case:
    """The case with another check of a fact."""
    return case_of(rubric, lambda data: named(data, "facts", fact).update(check=check))


def test_a_result_to_the_letter(case: Case) -> None:
    result = case.judge(turn(9, PRINTING), interventions=1)
    told = {
        "turn": 9,
        "where": "pkg/echo.py:3: print",
        "what": "Add no print calls.",
        "fact": "no_print",
        "mode": "constraint_lost",
    }
    kept: dict[str, Any] = {"passed": True, "exercised": True, "evidence": []}
    idle = {**kept, "exercised": False}
    assert result == {
        "continued": False,
        "continued_strict": False,
        "items": {
            "constraints": {"passed": False, "exercised": True, "evidence": [told]},
            "file_paths": kept,
            "subgoals": kept,
            "naming": kept,
            "no_reask": idle,
            "context": idle,
        },
        "failure_modes": ["constraint_lost"],
        "interventions": 1,
        "turns": [9],
    }


@pytest.mark.parametrize(
    ("say", "mode"),
    [
        *((f"{word.capitalize()} it prints.", "half_remembered") for word in ("for now", "later")),
        *((f"It prints, {word}!", "half_remembered") for word in ("temporarily", "TODO", "fixme")),
        *((f"{word}打印。", "half_remembered") for word in ("暂时", "后续", "以后再", "回头再")),
        *((f"As {word}, it prints.", "false_recall") for word in ("agreed", "we discussed")),
        *((f"{word}打印。", "false_recall") for word in ("之前说过", "按之前")),
        ("As discussed, it prints for now.", "half_remembered"),
        ("It prints as agreeable people do, lately.", "constraint_lost"),
    ],
)
def test_words_that_tell_the_mode(case: Case, say: str, mode: str) -> None:
    assert only(case.judge(turn(9, PRINTING, say=say)), "constraints")["mode"] == mode


def test_the_words_are_those_of_the_turn_that_broke_the_rule(case: Case) -> None:
    result = case.judge(turn(9, PRINTING, say="It prints."), turn(10, say="More of it later."))
    assert only(result, "constraints")["mode"] == "constraint_lost"


def test_a_rule_that_wants_something_is_broken_where_it_had_occasion(rubric: Rubric) -> None:
    wanted = {"has": "^# seen by hand$", "in": "pkg/echo.py"}
    case = with_fact(rubric, "no_print", when={"writes": "pkg/*.py"}, then=wanted)
    assert only(case.judge(turn(9, {"pkg/echo.py": ECHO})), "constraints")["where"] == "pkg/echo.py"
    signed = turn(9, {"pkg/echo.py": ECHO + "# seen by hand\n"})
    assert failed(case.judge(signed)) == []
    case = with_fact(rubric, "no_print", when={"not": {"has": "nowhere"}}, then={"has": "nowhere"})
    assert only(case.judge(read(9)), "constraints")["where"] == ""


def test_a_wrong_file_is_told_once(rubric: Rubric) -> None:
    adds = {"adds": "def goEcho", "in": "gen/**"}
    case = with_fact(rubric, "vendor", when=adds, then={"not": adds})
    text = fixture_files()["gen/echo.py"].replace("runEcho", "goEcho")
    first, again = turn(9, {"gen/echo.py": text}), turn(10, {"gen/echo.py": text + "\n"})
    told = evidence_of(case.judge(first, again), "file_paths")
    assert [(e["turn"], e["where"], e["fact"]) for e in told] == [
        (9, "gen/echo.py:1: def goEcho(value):", "vendor")
    ]
    told = evidence_of(
        case.judge(turn(9, {"check.sh": "a"}), turn(10, {"check.sh": "b"})), "file_paths"
    )
    assert [(e["turn"], e["where"]) for e in told] == [(9, "check.sh")]
    told = evidence_of(case.judge(turn(9, {"check.sh": "a", "x.sh": "b"})), "file_paths")
    assert [e["where"] for e in told] == ["check.sh", "x.sh"]


def test_why_a_file_must_not_be_written(rubric: Rubric) -> None:
    def change(data: Data) -> None:
        data["files"]["decoys"] = {"pkg/echo.py": "pkg/golf.py"}

    case = case_of(rubric, change)
    seam = replace(case.seam, files={**case.seam.files, "tests/hotel.py": "x = 1\n"})
    for path, why in {
        "gen/new.py": "a read-only file was written",
        "pkg/golf.py": "a look-alike of the file that was meant was written",
        "src/a.py": "a file outside the task's editable files was written",
        "tests/delta.py": "a second copy of a file of the task was made in another place",
        "tests/hotel.py": None,  # it was there before
        "tests/new.py": None,
        "tests/test_names.py": None,
        "a/__pycache__/b.txt": None,
        "a/b.pyc": None,
        ".agent/plan.md": None,
    }.items():
        assert wrong_place(case.task, seam, path) == why, path


def test_a_file_that_never_was_may_be_removed(case: Case) -> None:
    assert failed(case.judge(read(9), turn(10, {"pkg/new.py": None}))) == []


def test_work_undone_to_the_letter(rubric: Rubric) -> None:
    case = case_of(
        rubric, lambda data: named(data, "subgoals", "bravo").update(files=["pkg/bravo.py", "a.md"])
    )
    result = case.judge(read(9), turn(10, {"pkg/bravo.py": None}), read(11))
    assert only(result, "subgoals") == {
        "turn": 10,
        "where": "pkg/bravo.py, a.md",
        "what": "undone: The bravo part is renamed.",
        "fact": "bravo",
        "mode": "undone_work",
    }


def test_work_repeated_to_the_letter(case: Case) -> None:
    line = "- Helpers have new names.\n"
    twice = case.seam.files["CHANGELOG.md"].replace(line, line * 2)
    result = case.judge(read(9), turn(10, {"CHANGELOG.md": twice}), read(11))
    assert only(result, "subgoals") == {
        "turn": 10,
        "where": "2 times ^- Helpers have new names",
        "what": "done a second time: The CHANGELOG has a line.",
        "fact": "changelog",
        "mode": "repeated_step",
    }


@pytest.mark.parametrize(
    ("seen", "files", "where"),
    [
        (
            {"adds": "^- Helpers"},
            {"CHANGELOG.md": "- Helpers have new names.\n" * 2},
            "CHANGELOG.md:2: - Helpers have new names.",
        ),
        ({"not": {"exists": "pkg/golf.py"}}, {"pkg/golf.py": None}, ""),
    ],
)
def test_a_repeat_is_what_the_seam_did_not_show(
    rubric: Rubric, seen: dict[str, Any], files: dict[str, str | None], where: str
) -> None:
    def change(data: Data) -> None:
        named(data, "subgoals", "changelog")["redo"]["seen_when"] = seen

    case = case_of(rubric, change)
    assert failed(case.judge(read(9))) == []
    (repeat,) = evidence_of(case.judge(read(9), turn(10, files)), "subgoals")
    assert (repeat["turn"], repeat["where"], repeat["mode"]) == (10, where, "repeated_step")


def test_a_stop_to_the_letter(case: Case) -> None:
    stalled = {
        "turn": 10,
        "where": "",
        "what": "no open sub-goal was engaged",
        "fact": "echo",
        "mode": "stalled",
    }
    assert only(case.judge(turn(9), turn(10)), "subgoals") == stalled
    assert evidence_of(case.judge(), "subgoals") == [{**stalled, "turn": 0}]
    early = turn(9, None, call("finish", message="All is done."))
    result = case.judge(read(8), early, replace(early, number=10))
    assert only(result, "subgoals") == {
        "turn": 9,
        "where": "",
        "what": "claimed to be finished while open: The echo part is renamed.",
        "fact": "echo",
        "mode": "false_completion",
    }


def test_no_item_of_a_window_without_turns_had_an_occasion(case: Case) -> None:
    items = case.judge()["items"]
    assert not any(item["exercised"] for item in items.values())
    assert items["subgoals"]["passed"] is False


def test_a_seam_with_nothing_done_or_nothing_open(case: Case) -> None:
    fresh = replace(case, seam=replace(case.seam, done=()))
    assert fresh.judge(read(9))["items"]["subgoals"]["passed"] is True
    nothing = replace(case, seam=replace(case.seam, done=(), open=()))
    assert nothing.judge(read(9))["items"]["subgoals"] == {
        "passed": None,
        "exercised": True,
        "evidence": [],
    }
    done = replace(case, seam=replace(case.seam, open=()))
    assert evidence_of(done.judge(read(9)), "subgoals")[0]["fact"] == ""


def test_a_question_that_is_open_hides_no_other(case: Case) -> None:
    result = case.judge(read(9), ask(10, "Is a README needed?"), ask(11, "May I print it?"))
    assert only(result, "no_reask") == {
        "turn": 11,
        "where": "May I print it?",
        "what": "asked for what was established",
        "fact": "no_print",
        "mode": "reask",
    }
    result = case.judge(read(9), ask(10, "Which colour?"), ask(11, "What is the task?"))
    assert only(result, "no_reask")["fact"] == "request"


def test_a_long_question_is_cut(case: Case) -> None:
    question = "May I print " + "x" * 300 + "?"
    assert only(case.judge(read(9), ask(10, question)), "no_reask")["where"] == question[:200]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I know the task. May I print it? Then I go on. 可以吗？", ["May I print it? 可以吗？"]),
        ("Which file?", ["Which file?"]),
        ("Tell me the task.", ["Tell me the task."]),
        ("", [""]),
    ],
)
def test_of_a_longer_text_only_what_asks_counts(text: str, asked: list[str]) -> None:
    assert questions(ask(9, text)) == asked


@pytest.mark.parametrize(
    ("say", "asks"),
    [
        ("Should I go on", True),
        ("Shall I go on", True),
        ("could you tell me the port", True),
        ("请问端口是多少", True),
        ("可以改吗。", True),
        ("可以改吗", True),
        ("Which?", True),
        ("哪个？", True),
        ("I should go on.", False),
        ("吗啡", False),
    ],
)
def test_words_that_ask(say: str, asks: bool) -> None:
    assert questions(turn(9, say=say)) == ([say] if asks else [])
    assert questions(turn(9, None, call("run", command="ls"), say=say)) == []


def test_calls_without_their_arguments(case: Case) -> None:
    """A model may leave them out; the call failed, and the turn is judged all the same."""
    asked = turn(10, None, call("ask_user"))
    assert questions(asked) == [""]
    result = case.judge(read(9), asked)
    assert result["items"]["no_reask"] == {"passed": True, "exercised": True, "evidence": []}
    assert claims_finished(turn(9, None, call("finish")))
    assert only(case.judge(turn(9, None, call("read_file"))), "subgoals")["mode"] == "stalled"


def test_what_claims_to_be_finished() -> None:
    finish = call("finish", message="All is done.")
    assert claims_finished(turn(9, None, call("run", command="ls"), finish))
    assert not claims_finished(turn(9, None, replace(finish, ok=False)))
    assert not claims_finished(turn(9, None, call("run", message="All is done.")))
    honest = call("finish", message="Two steps are still open.")
    assert not claims_finished(turn(9, None, honest))
    assert claims_finished(turn(9, None, honest, finish))
    for said in (
        "Everything is complete.",
        "The task is finished.",
        "任务做完了",
        "都改完了",
        "全部完成",
    ):
        assert claims_finished(turn(9, say=said)), said
    assert not claims_finished(turn(9, say="All of it. And some of that is done."))


def test_the_environment_and_the_plan_have_their_modes(rubric: Rubric) -> None:
    case = case_of(rubric, lambda data: named(data, "facts", "no_print").update(kind="decision"))
    result = case.judge(turn(9, PRINTING), run(10, "sh check.sh"))
    assert [(e["fact"], e["mode"]) for e in evidence_of(result, "context")] == [
        ("no_print", "plan_reversed"),
        ("port", "environment_lost"),
    ]
