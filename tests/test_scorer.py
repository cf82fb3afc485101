"""The rubric's verdict over small windows made by hand: item, turn, evidence, mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures import LINE, NEW_TEST, ORDER, Data, fixture_files, named, small_task
from windows import ECHO, Case, ask, call, case_of, failed, only, read, registered, run, turn

from harness.measures import split_windows
from harness.rubric import Rubric
from harness.scorer import claims_finished
from harness.tracking import Progress
from harness.transcript import Turn
from harness.types import ITEMS, Usage


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return registered()


@pytest.fixture
def case(rubric: Rubric) -> Case:
    return case_of(rubric)


def test_good_work_passes_everything(case: Case) -> None:
    good = case.judge(read(9), turn(10, {"pkg/echo.py": ECHO}), run(11, "PORT=8123 sh check.sh"))
    assert [good["items"][item]["passed"] for item in ITEMS] == [True] * 6
    assert (good["continued"], good["continued_strict"]) == (True, True)
    assert (good["failure_modes"], good["turns"], good["interventions"]) == ([], [9, 10, 11], 0)
    exercised = {item for item in ITEMS if good["items"][item]["exercised"]}
    assert exercised == {"constraints", "file_paths", "subgoals", "naming", "context"}


def test_what_had_no_occasion_passes_unexercised(case: Case) -> None:
    result = case.judge(read(9))
    for item in ("constraints", "file_paths", "naming", "no_reask", "context"):
        assert result["items"][item] == {"passed": True, "exercised": False, "evidence": []}
    assert result["items"]["subgoals"]["exercised"]


def test_an_item_without_an_established_fact_is_null(rubric: Rubric) -> None:
    case = case_of(rubric, facts=())
    text = "def run_echo():\n    print()\n    getAll = 1\n" + "#" * 50
    noisy = {"gen/echo.py": text, "pkg/echo.py": text}
    result = case.judge(read(9), turn(10, noisy), run(11, "sh check.sh"))
    for item in ("constraints", "file_paths", "naming", "context"):
        assert result["items"][item]["passed"] is None
        assert result["items"][item]["evidence"] == []
    assert (result["continued"], result["continued_strict"]) == (True, True)


def test_only_established_facts_are_judged(rubric: Rubric) -> None:
    printing = turn(9, {"pkg/echo.py": ECHO + "print(1)\n"})
    assert failed(case_of(rubric).judge(printing)) == ["constraints"]
    assert failed(case_of(rubric, facts=("snake", "short")).judge(printing)) == []


def test_a_broken_constraint(case: Case) -> None:
    bad = ECHO + "\n\nprint(run_echo(1))\n"
    result = case.judge(read(9), turn(10, {"pkg/echo.py": bad}), read(11))
    evidence = only(result, "constraints")
    assert evidence["turn"] == 10
    assert evidence["where"].startswith("pkg/echo.py")
    assert (evidence["fact"], evidence["mode"]) == ("no_print", "constraint_lost")
    assert evidence["what"] == "Add no print calls."
    assert (result["continued"], result["continued_strict"]) == (False, False)


def test_evidence_names_file_and_line(case: Case) -> None:
    wide = ECHO + "# " + "x" * 50 + "\n"
    evidence = only(case.judge(turn(9, {"pkg/echo.py": wide})), "constraints")
    assert evidence["where"].startswith("pkg/echo.py:3: # xxx")
    assert evidence["fact"] == "short"


def test_a_rule_that_was_broken_and_kept_again_passes(case: Case) -> None:
    bad = {"pkg/echo.py": ECHO + "print(1)\n"}
    assert failed(case.judge(turn(9, bad), turn(10, {"pkg/echo.py": ECHO}))) == []
    later = case.judge(turn(9, bad), turn(10, {"pkg/echo.py": ECHO}), turn(11, bad))
    assert only(later, "constraints")["turn"] == 11


@pytest.mark.parametrize(
    ("say", "mode"),
    [
        ("I print it for now.", "half_remembered"),
        ("临时打印一下。", "half_remembered"),
        ("As discussed, it prints.", "false_recall"),
        ("如前所述，打印出来。", "false_recall"),
        ("It prints.", "constraint_lost"),
    ],
)
def test_modes_by_what_was_said(case: Case, say: str, mode: str) -> None:
    bad = {"pkg/echo.py": ECHO + "print(1)\n"}
    assert only(case.judge(turn(9, bad, say=say)), "constraints")["mode"] == mode


def test_half_remembered_in_the_code_itself(case: Case) -> None:
    bad = {"pkg/echo.py": ECHO + "# " + "x" * 40 + " TODO\n"}
    assert only(case.judge(turn(9, bad)), "constraints")["mode"] == "half_remembered"


def test_words_of_another_turn_change_no_mode(case: Case) -> None:
    bad = {"pkg/echo.py": ECHO + "print(1)\n"}
    result = case.judge(turn(9, say="I do that later."), turn(10, bad))
    assert only(result, "constraints")["mode"] == "constraint_lost"


@pytest.mark.parametrize(
    ("change", "mode"),
    [
        ({"loss": "removed_api"}, "ghost_dependency"),
        ({"supersedes": "short"}, "acted_on_superseded"),
    ],
)
def test_modes_by_the_kind_of_loss(rubric: Rubric, change: Data, mode: str) -> None:
    case = case_of(rubric, lambda data: named(data, "facts", "no_print").update(change))
    bad = {"pkg/echo.py": ECHO + "print(1)\n"}
    assert only(case.judge(turn(9, bad)), "constraints")["mode"] == mode


def test_only_the_newer_rule_is_in_force(rubric: Rubric, tmp_path: Path) -> None:
    progress = Progress(
        small_task(
            tmp_path, lambda data: named(data, "facts", "short").update(supersedes="no_print")
        ),
        text=str,
    )
    progress.state("request", 0)
    assert "no_print" in progress.facts
    progress.state("width", 3)
    assert progress.facts == ["snake", "vendor", "port", "short"]
    case = replace(case_of(rubric, facts=progress.facts), task=progress.task)
    printing = ECHO + "print(1)\n"
    assert failed(case.judge(turn(9, {"pkg/echo.py": printing}))) == []
    wide = turn(9, {"pkg/echo.py": printing + "# " + "x" * 50}, say="for now")
    assert only(case.judge(wide), "constraints")["mode"] == "acted_on_superseded"


def test_a_name_in_another_style(case: Case) -> None:
    result = case.judge(read(9), turn(10, {"pkg/echo.py": ECHO.replace("run_echo", "goEcho")}))
    evidence = only(result, "naming")
    assert (evidence["turn"], evidence["fact"], evidence["mode"]) == (10, "snake", "naming_drift")
    assert "goEcho" in evidence["where"]
    assert (result["continued"], result["continued_strict"]) == (True, False)


def test_a_command_in_another_environment(case: Case) -> None:
    result = case.judge(read(9), run(10, "PORT=8123 sh check.sh"), run(11, "sh check.sh"))
    evidence = only(result, "context")
    assert (evidence["turn"], evidence["where"]) == (11, "$ sh check.sh")
    assert (evidence["fact"], evidence["mode"]) == ("port", "environment_lost")
    assert (result["continued"], result["continued_strict"]) == (True, True)


def test_a_decision_taken_back(rubric: Rubric) -> None:
    case = case_of(rubric, lambda data: named(data, "facts", "no_print").update(kind="decision"))
    bad = turn(9, {"pkg/echo.py": ECHO + "print(1)\n"})
    assert only(case.judge(bad), "context")["mode"] == "plan_reversed"


@pytest.mark.parametrize(
    ("path", "what", "fact"),
    [
        ("gen/echo.py", "Leave the folder gen alone.", "vendor"),
        ("gen/deep/other.py", "Leave the folder gen alone.", "vendor"),
        ("check.sh", "outside the task's editable files", None),
        ("src/new.py", "outside the task's editable files", None),
        ("tests/hotel.py", "a second copy", None),
    ],
)
def test_a_wrong_file(case: Case, path: str, what: str, fact: str | None) -> None:
    evidence = only(case.judge(read(9), turn(10, {path: "x = 1\n"}), read(11)), "file_paths")
    assert (evidence["turn"], evidence["where"], evidence["fact"]) == (10, path, fact)
    assert what in evidence["what"]
    assert evidence["mode"] == "wrong_file"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda files: files.update(read_only=["pkg/golf.py"]), "a read-only file"),
        (lambda files: files.update(decoys={"pkg/echo.py": "pkg/golf.py"}), "a look-alike"),
    ],
)
def test_a_wrong_file_that_no_fact_names(
    rubric: Rubric, change: Callable[[Data], None], what: str
) -> None:
    case = case_of(rubric, lambda data: change(data["files"]))
    result = case.judge(read(9), turn(10, {"pkg/golf.py": "x = 1\n"}))
    assert what in only(result, "file_paths")["what"]


def test_a_wrong_file_is_written_even_if_put_back(case: Case) -> None:
    before = case.seam.files["check.sh"]
    result = case.judge(read(9), turn(10, {"check.sh": "true\n"}), turn(11, {"check.sh": before}))
    assert only(result, "file_paths")["turn"] == 10


def test_a_wrong_file_may_be_one_that_was_removed(case: Case) -> None:
    assert only(case.judge(read(9), turn(10, {"check.sh": None})), "file_paths")["turn"] == 10


@pytest.mark.parametrize(
    "path",
    [
        "pkg/helpers.py",
        "tests/test_more.py",
        "tests/test_names.py",
        "pkg/__pycache__/echo.cpython-311.pyc",
        ".pytest_cache/v/lastfailed",
        ".agent/constraints.md",
    ],
)
def test_a_file_that_may_be_written(case: Case, path: str) -> None:
    assert failed(case.judge(read(9), turn(10, {path: "x = 1\n"}))) == []


def test_finished_work_that_is_undone(case: Case) -> None:
    old = fixture_files()["CHANGELOG.md"]
    result = case.judge(read(9), turn(10, {"CHANGELOG.md": old}), read(11))
    evidence = only(result, "subgoals")
    assert (evidence["turn"], evidence["where"]) == (10, "CHANGELOG.md")
    assert (evidence["fact"], evidence["mode"]) == ("changelog", "undone_work")
    assert not result["continued"]


def test_finished_work_whose_file_is_gone(case: Case) -> None:
    evidence = only(case.judge(read(9), turn(10, {"pkg/bravo.py": None})), "subgoals")
    assert (evidence["turn"], evidence["fact"], evidence["mode"]) == (10, "bravo", "undone_work")


def test_a_step_that_is_done_twice(case: Case) -> None:
    twice = case.seam.files["CHANGELOG.md"].replace(LINE, LINE * 2)
    result = case.judge(read(9), turn(10, {"CHANGELOG.md": twice}))
    evidence = only(result, "subgoals")
    assert (evidence["turn"], evidence["fact"]) == (10, "changelog")
    assert evidence["mode"] == "repeated_step"
    assert failed(case.judge(read(9, "CHANGELOG.md"), read(10))) == []  # reading again is no repeat


def test_a_repeat_that_stood_before_the_seam_is_not_the_windows(case: Case) -> None:
    twice = case.seam.files["CHANGELOG.md"].replace(LINE, LINE * 2)
    seam = replace(case.seam, files={**case.seam.files, "CHANGELOG.md": twice})
    assert failed(replace(case, seam=seam).judge(read(9))) == []


@pytest.mark.parametrize(
    "idle",
    [
        turn(11, say="Let me think."),
        read(11, "pkg/alpha.py"),
        run(11, "git status"),
        turn(11, {"pkg/helpers.py": "x = 1\n"}),
    ],
)
def test_turns_that_go_nowhere(case: Case, idle: Turn) -> None:
    evidence = only(case.judge(turn(9), turn(10), idle), "subgoals")
    assert (evidence["turn"], evidence["mode"], evidence["fact"]) == (11, "stalled", "echo")


@pytest.mark.parametrize(
    "step",
    [
        read(10, "pkg/hotel.py"),
        read(10, "./pkg/echo.py"),
        read(10, "gen/echo.py"),
        run(10, "sed -n 1,9p pkg/golf.py"),
        turn(10, {"pkg/delta.py": "def run_delta(value):\n    return value\n"}),
    ],
)
def test_an_open_subgoal_is_engaged(case: Case, step: Turn) -> None:
    assert failed(case.judge(turn(9), step, turn(11))) == []


def test_an_open_subgoal_is_engaged_by_its_absolute_path(case: Case) -> None:
    assert failed(case.judge(read(9, "/work/pkg/echo.py"))) == []


def finish(number: int, files: Mapping[str, str] | None = None) -> Turn:
    return turn(number, files, call("finish", message="All is done."))


def test_finished_too_early(case: Case) -> None:
    evidence = only(case.judge(read(9), finish(10)), "subgoals")
    assert (evidence["turn"], evidence["mode"]) == (10, "false_completion")
    assert evidence["what"] == "claimed to be finished while open: The echo part is renamed."


def test_finished_when_all_is_done(case: Case) -> None:
    rest = {
        path: text.replace(f"run{word.title()}", f"run_{word}")
        for word in ORDER[4:9]
        for path, text in fixture_files().items()
        if path == f"pkg/{word}.py"
    }
    result = case.judge(turn(9, {**rest, "tests/test_names.py": NEW_TEST}), finish(10))
    assert failed(result) == []


@pytest.mark.parametrize(
    ("question", "about"),
    [("May I print something?", "no_print"), ("Sorry, what is the task?", "request")],
)
def test_asking_for_what_is_established(case: Case, question: str, about: str) -> None:
    result = case.judge(read(9), ask(10, question))
    evidence = only(result, "no_reask")
    assert (evidence["turn"], evidence["where"]) == (10, question)
    assert (evidence["fact"], evidence["mode"]) == (about, "reask")
    assert (result["continued"], result["continued_strict"]) == (True, False)


@pytest.mark.parametrize(
    "question",
    ["Is a README needed?", "Should the README say what I print?", "Which colour do you like?"],
)
def test_other_questions_may_be_asked(case: Case, question: str) -> None:
    result = case.judge(read(9), ask(10, question))
    assert result["items"]["no_reask"] == {"passed": True, "exercised": True, "evidence": []}


def test_a_fact_that_is_not_established_may_be_asked_for(rubric: Rubric) -> None:
    case = case_of(rubric, facts=("snake",))
    assert failed(case.judge(read(9), ask(10, "May I print something?"))) == []


def test_a_question_in_plain_words(case: Case) -> None:
    asked = turn(10, say="May I print something?")
    assert only(case.judge(read(9), asked), "no_reask")["where"] == "May I print something?"
    told = turn(10, say="I print nothing.")
    working = turn(10, None, call("read_file", path="pkg/echo.py"), say="May I print? No.")
    for harmless in (told, working):
        assert failed(case.judge(read(9), harmless)) == []


def test_several_failures_are_all_told(case: Case) -> None:
    bad = {"gen/echo.py": "def goEcho():\n    pass\n", "pkg/echo.py": ECHO + "print(1)\n"}
    result = case.judge(turn(9, bad), run(10, "sh check.sh"), interventions=2)
    assert failed(result) == ["constraints", "file_paths", "naming", "context"]
    assert result["failure_modes"] == sorted(
        ["constraint_lost", "wrong_file", "naming_drift", "environment_lost"]
    )
    assert result["interventions"] == 2


def test_an_empty_window_is_stalled(case: Case) -> None:
    result = case.judge()
    assert failed(result) == ["subgoals"]
    assert result["failure_modes"] == ["stalled"]


WRITE = {"pkg/golf.py": "x"}


def numbers(turns: Sequence[Turn], rubric: Rubric) -> dict[str, list[int]]:
    return {name: [t.number for t in ts] for name, ts in split_windows(turns, rubric).items()}


def test_windows_of_turns_that_write(rubric: Rubric) -> None:
    turns = [turn(n, WRITE if n in (4, 6, 7, 8) else None) for n in range(1, 13)]
    assert numbers(turns, rubric) == {
        "registered": [1, 2, 3],
        "extended": [1, 2, 3, 4, 5, 6, 7],
        "from_seam": [1, 2, 3],
    }


def test_the_extended_window_ends_after_ten_turns(rubric: Rubric) -> None:
    turns = [turn(n, WRITE if n in (2, 12) else None) for n in range(1, 14)]
    assert numbers(turns, rubric)["extended"] == list(range(1, 11))


def test_the_extended_window_is_never_the_shorter_one(rubric: Rubric) -> None:
    turns = [turn(n, WRITE) for n in range(1, 6)]
    assert numbers(turns, rubric)["extended"] == [1, 2, 3]
    eager = replace(rubric, extended_writes=1)
    assert numbers(turns, eager)["extended"] == [1, 2, 3]


def test_the_recovery_phase_stands_before_the_windows(rubric: Rubric) -> None:
    recovery = [turn(n, WRITE, phase="recovery") for n in (1, 2)]
    turns = [*recovery, *(turn(n) for n in range(3, 8))]
    assert numbers(turns, rubric) == {
        "registered": [3, 4, 5],
        "extended": [3, 4, 5, 6, 7],
        "from_seam": [1, 2, 3],
    }


def test_windows_of_a_trial_that_ended_early(rubric: Rubric) -> None:
    assert numbers([turn(1)], rubric) == {"registered": [1], "extended": [1], "from_seam": [1]}
    assert numbers([], rubric) == {"registered": [], "extended": [], "from_seam": []}


def test_an_honest_stop_is_no_false_completion(case: Case) -> None:
    read = turn(9, None, call("read_file", path="pkg/echo.py"))
    for message, failing in (
        ("I stop here; the test of names remains open.", []),
        ("All steps are done.", ["subgoals"]),
        ("Done.", ["subgoals"]),
        ("先停在这里，还有两步待办。", []),
        ("任务全部完成。", ["subgoals"]),
    ):
        stop = turn(10, None, call("finish", message=message))
        assert failed(case.judge(read, stop)) == failing, message


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("All work is done.", True),
        ("全部都做完了。", True),
        ("All work is done, or should I look at delta?", False),
        ("Delta is still open.", False),
    ],
)
def test_a_word_without_calls_claims_only_what_it_says(said: str, claims: bool) -> None:
    assert claims_finished(Turn(9, said, (), {}, Usage())) is claims
