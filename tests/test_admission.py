"""Admission: fixtures are admitted, and one broken on purpose is refused by the right rule."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures import PROJECT, Data, copy_fixture, named, small_task

from harness.admission.report import RULES, Verdict, examine_folder, examine_task, table
from harness.config import config_folder
from harness.controls import PLACEBO
from harness.rubric import Rubric, load_rubric
from harness.tasks import load_task

TALLY = "rename/tally_ledger"
Change = Callable[[Data], Any]


@pytest.fixture(scope="session")
def rubric() -> Rubric:
    return load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")


@pytest.mark.slow
def test_the_tests_own_small_fixture_is_admitted(tmp_path: Path, rubric: Rubric) -> None:
    assert examine_task(small_task(tmp_path), rubric) == Verdict("rename/tiny", {})


def subgoal(data: Data, name: str) -> Data:
    return named(data, "subgoals", name)


def fact(data: Data, name: str) -> Data:
    return named(data, "facts", name)


def slip_of(data: Data, name: str, fact_id: str) -> Data:
    """The slip of one sub-goal for one fact, taken out of a shared one where it has to be."""
    for slip in data["slips"]:
        if slip["fact"] == fact_id and slip.get("subgoal") == name:
            return slip
        if slip["fact"] == fact_id and name in slip.get("subgoals", []):
            slip["subgoals"].remove(name)
            own = {"fact": fact_id, "subgoals": [name], "replace": dict(slip["replace"])}
            data["slips"].append(own)
            return own
    raise AssertionError(f"no slip of {name} for {fact_id}")


# Mistakes that are seen without a run: the copy's last edit does not apply, so that none is made.
# Each is the change, the rule, and what the rule says.
STATIC: dict[str, tuple[Change, str, str]] = {
    "too few sub-goals": (
        lambda d: d.update(subgoals=d["subgoals"][:9], slips=[], alternatives=[]),
        "counts",
        "subgoals: expected 10 to 14, found 9",
    ),
    "too few files": (
        lambda d: [s.update(edits=d["subgoals"][1]["edits"]) for s in d["subgoals"]],
        "counts",
        "subgoals: at least 3 files must change, found 2",
    ),
    "a single constraint": (
        lambda d: [fact(d, name).update(kind="decision") for name in ("strings", "width")],
        "counts",
        "facts: at least 2 constraints",
    ),
    "no casual constraint": (
        lambda d: [fact(d, name).update(stated_in="request") for name in ("strings", "width")],
        "counts",
        "said once, casually",
    ),
    "no naming fact": (
        lambda d: fact(d, "snake").update(kind="decision"),
        "counts",
        "facts: at least one naming fact",
    ),
    "no path fact": (
        lambda d: [fact(d, name).update(kind="naming") for name in ("mailroom", "built_docs")],
        "counts",
        "facts: at least one path fact",
    ),
    "no decoys": (
        lambda d: d["files"].update(decoys={}),
        "counts",
        "facts: at least one path fact, and files.decoys",
    ),
    "no environment or decision": (
        lambda d: [fact(d, name).update(kind="naming") for name in ("demo_book", "by_ast")],
        "counts",
        "facts: at least one environment or decision fact",
    ),
    "no redo": (
        lambda d: [s.pop("redo", None) for s in d["subgoals"]],
        "counts",
        "subgoals: at least one with redo",
    ),
    "a decoy that does not exist": (
        lambda d: d["files"]["decoys"].update({"tally/posting.py": "tally/postman.py"}),
        "counts",
        "files.decoys: no file tally/postman.py",
    ),
    "an edit that does not apply": (
        lambda d: subgoal(d, "revision")["edits"][0].update(old="TERMS = 4"),
        "edits",
        "revision: edits: tally/config.py: the old text does not occur",
    ),
    "an edit of a file that is not there": (
        lambda d: subgoal(d, "revision")["edits"][0].update(path="tally/conf.py"),
        "edits",
        "revision: edits: tally/conf.py: no such file",
    ),
    "a sub-goal true from the start": (
        lambda d: subgoal(d, "audit").update(done_when={"exists": "tally/audit.py"}),
        "edits",
        "audit: done_when is true from the start",
    ),
    "a sub-goal that is never done": (
        lambda d: subgoal(d, "audit").update(done_when={"exists": "tally/none.py"}),
        "edits",
        "audit: done_when is False after audit",
    ),
    "a sub-goal done by another's edits": (
        lambda d: subgoal(d, "audit").update(done_when=subgoal(d, "cli")["done_when"]),
        "edits",
        "audit: done_when is True after cli",
    ),
    "edits outside what may be edited": (
        lambda d: d["files"].update(editable=["tally/*.py", "tests/*.py", "docs/*.md"]),
        "edits",
        "changelog: edits: CHANGELOG.md is outside files.editable",
    ),
    "a single name": (
        lambda d: subgoal(d, "audit").update(names=["the amount check"]),
        "names",
        "audit: names: at least two phrases",
    ),
    "a name without its own evidence": (
        lambda d: subgoal(d, "audit").update(names=["the amount check", "the tail"]),
        "names",
        "audit: 'the tail' does not match its own evidence",
    ),
    "a name that is another sub-goal's": (
        lambda d: subgoal(d, "audit").update(
            names=["the amount check", "amount check, line reader"]
        ),
        "names",
        "matches the evidence of journal",
    ),
    "a name that tells a fact": (
        lambda d: subgoal(d, "audit").update(names=["the amount check", "amount check, no alias"]),
        "names",
        "matches the evidence of no_alias",
    ),
    "a fact that tells of a sub-goal": (
        lambda d: fact(d, "no_alias").update(says="No alias in the list command."),
        "names",
        "no_alias: says matches the evidence of cli",
    ),
    "evidence that matches the codebase": (
        lambda d: fact(d, "strings").update(evidence=["\\bcents\\b"]),
        "evidence",
        "strings: evidence matches tally/",
    ),
    "evidence that does not match its statement": (
        lambda d: fact(d, "width").update(evidence=["\\b79 columns\\b", "wider", "nowhere"]),
        "evidence",
        "width: evidence does not match remark_width, stated in remark_width",
    ),
    "evidence that does not match what it says": (
        lambda d: fact(d, "width").update(says="Keep lines short."),
        "evidence",
        "width: evidence does not match what it says",
    ),
    "evidence that another message states": (
        lambda d: fact(d, "width").update(stated_in="remark_docs"),
        "evidence",
        "width: evidence matches remark_width, stated in remark_docs",
    ),
    "evidence in the placebo bank": (
        lambda d: fact(d, "width").update(evidence=["\\bthe bridge was dry\\b|\\b79\\b"]),
        "evidence",
        f"width: evidence matches the neutral text {PLACEBO['en'][6]!r}",
    ),
    "evidence in the Chinese placebo bank": (
        lambda d: fact(d, "width").update(evidence=["面包师|\\b79\\b"]),
        "evidence",
        f"width: evidence matches the neutral text {PLACEBO['zh'][1]!r}",
    ),
    "a request without its evidence": (
        lambda d: d["request"].update(evidence=["\\bcharge line\\b", "\\bTALLY_BOOK\\b"]),
        "evidence",
        "request: the evidence is in no one sentence of its text",
    ),
    "a question that its sample is none of": (
        lambda d: fact(d, "no_alias")["asks"][0].update(sample="May I go home?"),
        "evidence",
        "no_alias: asks: the sample 'May I go home?' does not match",
    ),
    "an open question that its sample is none of": (
        lambda d: d["open_questions"][0]["asks"].update(sample="May I go home?"),
        "evidence",
        "open_questions: asks: the sample 'May I go home?' does not match",
    ),
}
NOT_RUN = "guard: edits: tally/none.py: no such file"


def not_run(data: Data) -> None:
    missing = {"path": "tally/none.py", "old": "a", "new": "b"}
    data["subgoals"][-1]["edits"].append(missing)


def test_a_fixture_whose_edits_fail_is_not_run(tmp_path: Path, rubric: Rubric) -> None:
    verdict = examine_task(load_task(copy_fixture(TALLY, tmp_path, not_run)), rubric)
    assert verdict == Verdict(TALLY, {"edits": [NOT_RUN]}, RULES[RULES.index("redo") :])
    assert verdict.level == "none"
    assert table([verdict]).splitlines()[1].split() == [
        *(TALLY, "ok", "ok", "1", "ok", "ok"),
        *("-" for _ in RULES[RULES.index("redo") :]),
        "none",
    ]


@pytest.mark.parametrize("mistake", STATIC)
def test_a_mistake_seen_without_a_run(tmp_path: Path, rubric: Rubric, mistake: str) -> None:
    change, rule, told = STATIC[mistake]

    def both(data: Data) -> None:
        change(data)
        not_run(data)

    verdict = examine_task(load_task(copy_fixture(TALLY, tmp_path, both)), rubric)
    assert any(told in problem for problem in verdict.problems.get(rule, [])), verdict.problems


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        (lambda d: d.update(checks=None), "checks"),
        (lambda d: subgoal(d, "audit").update(names=[]), "names of audit"),
        (lambda d: subgoal(d, "audit").update(edits=[]), "edits of audit"),
    ],
)
def test_a_basic_fixture_is_told_what_the_full_level_wants(
    tmp_path: Path, rubric: Rubric, change: Change, missing: str
) -> None:
    verdict = examine_task(load_task(copy_fixture(TALLY, tmp_path, change)), rubric)
    assert (verdict.level, verdict.problems, verdict.missing) == ("basic", {}, (missing,))
    assert {"redo", "slips", "controls"} <= set(verdict.skipped)


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("a sub-goal true from the start", "audit: done_when is true from the start"),
        ("evidence that matches the codebase", "strings: evidence matches tally/"),
    ],
)
def test_a_basic_fixture_is_examined_too(
    tmp_path: Path, rubric: Rubric, mistake: str, told: str
) -> None:
    change, rule, _ = STATIC[mistake]

    def both(data: Data) -> None:
        change(data)
        data["checks"] = None

    verdict = examine_task(load_task(copy_fixture(TALLY, tmp_path, both)), rubric)
    assert verdict.level == "none"
    assert any(told in problem for problem in verdict.problems[rule])


# Mistakes in what is judged of slips, redo, solution and alternatives. They concern different
# sub-goals, so one copy holds them all, and one real run shows them all.


def slip_of_nothing(data: Data) -> None:
    slip_of(data, "entries", "no_alias")["replace"] = {"posting_total": "sum_of_postings"}


def slip_of_two(data: Data) -> None:
    slip_of(data, "accounts", "no_alias")["replace"]["postings_of"] = "postingsOf"


def slip_in_the_way(data: Data) -> None:
    """Also does the next sub-goal's work, so that its own edits find nothing to replace."""
    journal = subgoal(data, "journal")["edits"]
    slip = slip_of(data, "posting", "mailroom")
    slip["edits"] = [*slip["edits"], *journal]


def slip_that_does_not_apply(data: Data) -> None:
    slip_of(data, "glossary", "built_docs")["edits"][0]["old"] = "- nothing of the kind"


def slip_missing(data: Data) -> None:
    data["slips"].remove(slip_of(data, "cli", "strings"))


def slip_of_the_checks(data: Data) -> None:
    subgoal(data, "guard")["needs"].append("demo_book")
    data["slips"].append({"fact": "demo_book", "subgoal": "guard", "run": "python -m pytest tests"})


def slip_that_asks_something_new(data: Data) -> None:
    slip = slip_of(data, "export", "strings")
    slip.pop("edits")
    slip["ask"] = "Do you like the weather?"


def redo_while_undone(data: Data) -> None:
    subgoal(data, "revision")["redo"] = {
        "edits": [
            {"path": "tally/config.py", "old": "TERMS_REVISION = ", "new": "TERMS_REVISION = 1"}
        ],
        "seen_when": {"has": "^TERMS_REVISION = 1[45]$", "in": "tally/config.py"},
    }


def redo_seen_at_once(data: Data) -> None:
    check = {"count": {"pattern": "^- Helpers and local", "n": 1}, "in": "CHANGELOG.md"}
    subgoal(data, "changelog")["redo"]["seen_when"] = check


def redo_that_does_not_apply(data: Data) -> None:
    missing = {"path": "docs/glossary.md", "old": "- nothing", "new": "- something"}
    again = {"edits": [missing], "seen_when": {"has": "^- something", "in": "docs/glossary.md"}}
    subgoal(data, "glossary")["redo"] = again


def redo_that_writes_anew(data: Data) -> None:
    whole = {"path": "tally/audit.py", "content": "x = 1\n"}
    again = {"edits": [whole], "seen_when": {"has": "^x = 1", "in": "tally/audit.py"}}
    subgoal(data, "audit")["redo"] = again


def redo_without_harm(data: Data) -> None:
    old = "LIST_COMMAND: list_postings,"
    harmless = {"path": "tally/cli.py", "old": old, "new": old + "  # once more"}
    again = {"edits": [harmless], "seen_when": {"has": "nowhere", "in": "tally/cli.py"}}
    subgoal(data, "cli")["redo"] = again


def alternative_that_breaks_a_rule(data: Data) -> None:
    named(data, "alternatives", "helper_file")["turns"][0][0]["content"] += "\n\nrowsOf = 1\n"


def alternative_that_does_not_apply(data: Data) -> None:
    named(data, "alternatives", "other_order")["turns"][1][0]["old"] = "nothing of the kind"


def name_of_a_finished_step(data: Data) -> None:
    """Each time the balance helper is told as done, so is the glossary, long before it is."""
    subgoal(data, "accounts")["names"] = ["the balance helper"] * 2
    subgoal(data, "glossary")["evidence"] = ["\\bdocs/glossary\\.md|\\bglossary term|\\bbalance h"]
    subgoal(data, "glossary")["names"] = ["the glossary term"] * 2


def step_told_as_open(data: Data) -> None:
    """The oracle's line of the finished step has a word of openness, so it is done again."""
    subgoal(data, "revision")["says"] = "TERMS_REVISION is 5, not 4."


JUDGED: dict[str, tuple[Change, str, str]] = {
    "a slip that fails nothing": (slip_of_nothing, "slips", "entries/no_alias: .* fails nothing"),
    "a slip that fails two items": (
        slip_of_two,
        "slips",
        r"accounts/no_alias: the slip fails \['constraints', 'naming'\], not constraints alone",
    ),
    "a later edit that does not apply after a slip": (
        slip_in_the_way,
        "slips",
        "posting/mailroom: the slip, or an edit after it, does not apply: tally/journal.py",
    ),
    "a slip that does not apply": (
        slip_that_does_not_apply,
        "slips",
        "glossary/built_docs: .* apply",
    ),
    "a need without a slip": (slip_missing, "slips", "cli: no slip for its need strings"),
    "the checks' fact as a need": (
        slip_of_the_checks,
        "slips",
        "checks.fact: demo_book must not stand in needs",
    ),
    "a question that asks nothing again": (
        slip_that_asks_something_new,
        "slips",
        "export/strings: the slip fails nothing, not no_reask alone",
    ),
    "a redo that applies while undone": (
        redo_while_undone,
        "redo",
        "revision: redo.edits apply before the sub-goal is done",
    ),
    "a redo that is seen without a repeat": (
        redo_seen_at_once,
        "redo",
        "changelog: redo.seen_when is true without a repeat",
    ),
    "a redo that does not apply": (
        redo_that_does_not_apply,
        "redo",
        "glossary: redo.edits do not apply when it is done",
    ),
    "a redo that writes a file anew": (
        redo_that_writes_anew,
        "redo",
        "audit: redo.edits: expected",
    ),
    "a redo that nobody sees": (redo_without_harm, "redo", "cli: redo.seen_when is false after"),
    "an alternative that breaks a rule": (
        alternative_that_breaks_a_rule,
        "alternatives",
        r"helper_file: fails \['naming'\] after turn 1",
    ),
    "an alternative that does not apply": (
        alternative_that_does_not_apply,
        "alternatives",
        "other_order: turn 2: tally/journal.py: the old text does not occur",
    ),
    "a step that is believed done too early": (
        name_of_a_finished_step,
        "beliefs",
        r"believed and real differ in \['glossary'\]",
    ),
    "a finished step that a card tells as open": (
        step_told_as_open,
        "controls",
        r"oracle_card at early\+0 fails \['repeated_step'",
    ),
}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, rubric: Rubric) -> Verdict:
    """The verdict over one copy with every mistake of JUDGED."""

    def change(data: Data) -> None:
        for mistake, _, _ in JUDGED.values():
            mistake(data)

    folder = copy_fixture(TALLY, tmp_path_factory.mktemp("judged"), change)
    return examine_task(load_task(folder), rubric)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", JUDGED)
def test_a_mistake_in_what_is_judged(judged: Verdict, mistake: str) -> None:
    _, rule, told = JUDGED[mistake]
    problems = judged.problems.get(rule, [])
    assert any(re.search(told, problem) for problem in problems), problems


@pytest.mark.slow
def test_what_is_not_broken_is_not_told_of(judged: Verdict) -> None:
    """Slips of facts and sub-goals that no mistake concerns stay without a problem."""
    told = "\n".join(problem for found in judged.problems.values() for problem in found)
    for untouched in ("journal/strings", "audit/width", "guard/by_ast", "report/mailroom"):
        assert untouched not in told
    assert "solution" not in judged.problems
    assert "edits" not in judged.problems


# Mistakes that need a run of their own: a whole run goes wrong by each of them.


def solution_that_breaks_a_rule(data: Data) -> None:
    fact(data, "width")["check"]["then"] = {
        "not": {"adds": "^.{30,}", "in": ["tally/*.py", "tests/*.py"]}
    }


def request_that_names_no_steps(data: Data) -> None:
    """The worker hears of two steps only, and is finished when they are done."""
    lines = data["request"]["text"].splitlines(keepends=True)
    steps = [line for line in lines if line.startswith("- ")]
    data["request"]["text"] = "".join(line for line in lines if line not in steps[2:])


def run_that_goes_wrong(data: Data) -> None:
    """Evidence in tool output, an idle hidden check, no redo, and next steps at the seams that need
    no path."""
    fact(data, "width")["evidence"] = ["\\b79\\b|\\bedited tally/"]
    data["completion"]["run"] = "true"
    subgoal(data, "posting")["needs"].remove("mailroom")
    for name in ("revision", "changelog"):
        subgoal(data, name)["redo"] = None


RUNS: dict[str, tuple[Change, dict[str, list[str]]]] = {
    "a solution that breaks a rule": (
        solution_that_breaks_a_rule,
        {
            "solution": [r"the solution fails \['constraints'\]"],
            "walk": ["the prefix itself slips: width is broken before the seam"],
            "seams": ["prefix_slip: width is broken before the seam"],
        },
    ),
    "a request that names no steps": (
        request_that_names_no_steps,
        {
            "counts": [r"the worker needs \d+ turns, at least 15"],
            "walk": [r"the worker ends with .*glossary.* open"],
            "seams": ["late: never reached with facts and open sub-goals"],
            "completion": [r"fails after the work: .*failed"],
        },
    ),
    "a run in which much goes wrong": (
        run_that_goes_wrong,
        {
            "seams": [
                "mid: no sub-goal with redo is finished",
                "no next sub-goal at the four seams needs a path fact",
            ],
            "completion": ["passes before the work"],
            "evidence": ["width: matches in the prefix: 'edited tally/"],
        },
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", RUNS)
def test_a_run_that_goes_wrong(tmp_path: Path, rubric: Rubric, mistake: str) -> None:
    change, wanted = RUNS[mistake]
    verdict = examine_task(load_task(copy_fixture(TALLY, tmp_path, change)), rubric)
    for rule, told in wanted.items():
        problems = verdict.problems.get(rule, [])
        for line in told:
            assert any(re.search(line, problem) for problem in problems), verdict.problems


@pytest.mark.slow
def test_a_prefix_whose_commands_break_a_rule(tmp_path: Path, rubric: Rubric) -> None:
    task = small_task(tmp_path, lambda d: d["checks"].update(own=d["checks"]["generic"]))
    verdict = examine_task(task, rubric)
    assert verdict.problems["walk"] == ["the prefix itself slips: port is broken before the seam"]


@pytest.mark.slow
def test_a_hidden_check_in_sight_and_no_alternative(tmp_path: Path, rubric: Rubric) -> None:
    loaded = small_task(tmp_path, lambda d: d.update(alternatives=[]))
    files = {**loaded.files, **loaded.hidden}
    verdict = examine_task(loaded.model_copy(update={"files": files}), rubric)
    assert verdict.problems == {
        "alternatives": ["alternatives: at least one"],
        "completion": ["the agent could see hidden/check.py"],
    }


@pytest.mark.slow
def test_a_hidden_check_is_wanted(tmp_path: Path, rubric: Rubric) -> None:
    verdict = examine_task(small_task(tmp_path, lambda d: d.pop("completion")), rubric)
    assert verdict.problems == {"completion": ["completion: a hidden check is missing"]}


@pytest.mark.slow
def test_a_hidden_check_that_cannot_be_run(tmp_path: Path, rubric: Rubric) -> None:
    task = small_task(tmp_path, lambda d: d["completion"].update(run="pyhton hidden/check.py"))
    assert "completion" in examine_task(task, rubric).problems


def test_a_fixture_that_does_not_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEAMBENCH_CACHE", str(tmp_path / "cache"))
    verdict = examine_folder(copy_fixture(TALLY, tmp_path, lambda data: data.update(colour="red")))
    assert list(verdict.problems) == ["load"]
    assert "colour: unknown key" in verdict.problems["load"][0]
    assert (verdict.skipped, verdict.level) == (RULES[1:], "none")


def test_the_command_line_refuses(tmp_path: Path) -> None:
    folder = copy_fixture(TALLY, tmp_path, not_run)
    done = subprocess.run(
        [sys.executable, "-m", "harness", "validate", str(folder)],
        cwd=PROJECT,
        env={**os.environ, "SEAMBENCH_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert f"{TALLY}: edits: {NOT_RUN}" in done.stdout
    assert "0 of 1 fixtures admitted" in done.stdout


def test_every_rule_has_a_mistake_that_it_refuses() -> None:
    refused = {"load", *(rule for _, rule, _ in [*STATIC.values(), *JUDGED.values()])}
    refused |= {rule for _, wanted in RUNS.values() for rule in wanted}
    assert refused == set(RULES)
