"""Predicates over a change: each one where it holds and where it does not, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from harness.checks import PREDICATES, Change, evaluate, holds
from harness.errors import TaskError
from harness.predicates import check_predicate

OLD = "import os\n\n\ndef loadFile(name):\n    return os.stat(name)\n\n\nlimit = 3\n"
NEW = (
    "import os\nimport requests.sessions\n\n\ndef load_file(name, timeout):\n"
    "    print(name)\n    return requests.get(name)\n\n\nlimit = 3\n"
)
CHANGE = Change(
    before={"src/a.py": OLD, "src/deep/b.py": "x = 1\n", "gone.txt": "bye\n"},
    after={"src/a.py": NEW, "src/deep/b.py": "x = 1\n", "docs/n.md": "- one\n- two\n"},
    writes=frozenset({"src/a.py", "docs/n.md", "gone.txt"}),
    commands=("make lint", "python -m pytest -q", "make lint && git push"),
)


def change(before: str, after: str, path: str = "a.py") -> Change:
    return Change({path: before}, {path: after}, frozenset({path}))


BROKEN = {
    "half a statement": "{}\ndef (:\n",
    "another tongue": "{}\n<<<<<<< ours\n",
    "a NUL": "{}\n\0\n",
    "too deep for a parser": "{}\nx = " + "not " * 50_000 + "1\n",
    "too deep brackets": "{}\nx = " + "(" * 5_000 + "\n",
    "a long chain of names": "{}\na" + ".a" * 20_000 + "()\n",
    "too long for a parser": "{}\n" + "# x\n" * 300_000,
}


@pytest.mark.parametrize("wrapped", BROKEN.values(), ids=BROKEN.keys())
def test_what_cannot_be_parsed_hides_no_call_and_no_import(wrapped: str) -> None:
    bad = "import requests.sessions as s, os\nfrom .far import near\nf(a)(b).get(1)\nprint(x)"
    good = "# import requests\nx = 'print(x)'\ndef get(x):\n    return (x)"
    for code, wanted in ((bad, True), (good, False)):
        made = change("x = 1\n", wrapped.replace("{}", code))
        for banned in (
            {"adds_call": "print"},
            {"adds_call": "get"},
            {"adds_import": "requests"},
            {"adds_import": ".far"},
        ):
            assert holds(banned, made) is wanted, banned


@pytest.mark.parametrize(
    ("predicate", "wanted"),
    [
        ({"has": "^def load_file"}, True),
        ({"has": "^def loadFile"}, False),
        ({"exists": "docs/*.md"}, True),
        ({"exists": "gone.txt"}, False),
        ({"defines": "load_file"}, True),
        ({"defines": "timeout"}, True),
        ({"defines": "limit"}, True),
        ({"defines": "load"}, False),
        ({"imports": "requests"}, True),
        ({"imports": "requests.sessions"}, True),
        ({"imports": "request"}, False),
        ({"calls": "get"}, True),
        ({"calls": "requests.get"}, True),
        ({"calls": "et"}, False),
        ({"count": {"pattern": "^- ", "n": 2}}, True),
        ({"count": {"pattern": "^- ", "n": 1}}, False),
        ({"adds": "requests\\."}, True),
        ({"adds_text": "requests\\."}, True),
        ({"adds_text": "^limit"}, False),
        ({"adds": "^limit"}, False),
        ({"removes": "os\\.stat"}, True),
        ({"removes": "^limit"}, False),
        ({"removes": "bye"}, True),
        ({"adds_import": "requests"}, True),
        ({"adds_import": "os"}, False),
        ({"adds_call": "print"}, True),
        ({"adds_call": "os.stat"}, False),
        ({"adds_name": "load_.*"}, True),
        ({"adds_name": "load"}, False),
        ({"adds_name": "limit"}, False),
        ({"writes": "src/*.py"}, True),
        ({"writes": "src/deep/*.py"}, False),
        ({"creates": "docs/*"}, True),
        ({"creates": "src/*"}, False),
        ({"runs": "\\bpytest\\b"}, True),
        ({"runs": "\\btox\\b"}, False),
        ({"runs_before": {"first": "lint", "then": "pytest"}}, True),
        ({"runs_before": {"first": "pytest", "then": "lint"}}, False),
        ({"runs_before": {"first": "lint", "then": "deploy"}}, False),
    ],
)
def test_predicate(predicate: dict[str, Any], wanted: bool) -> None:
    check_predicate(predicate, "here")
    assert holds(predicate, CHANGE) is wanted


def test_every_predicate_is_tried_both_ways() -> None:
    (mark,) = test_predicate.pytestmark
    tried = {(next(iter(predicate)), wanted) for predicate, wanted in mark.args[1]}
    assert tried == {(name, wanted) for name in PREDICATES for wanted in (True, False)}


@pytest.mark.parametrize(
    ("globs", "wanted"),
    [
        ("src/*.py", True),
        ("src/deep/*.py", False),
        ("**/*.py", True),
        (["docs/*", "src/**"], True),
        (["docs/*"], False),
    ],
)
@pytest.mark.parametrize(
    "name_and_argument",
    [
        ("has", "load_file"),
        ("defines", "load_file"),
        ("imports", "requests"),
        ("calls", "print"),
        ("count", {"pattern": "^import", "n": 2}),
        ("adds", "requests"),
        ("removes", "loadFile"),
        ("adds_import", "requests"),
        ("adds_call", "print"),
        ("adds_name", "load_file"),
    ],
)
def test_in_bounds_the_files(
    name_and_argument: tuple[str, Any], globs: str | list[str], wanted: bool
) -> None:
    name, argument = name_and_argument
    assert holds({name: argument, "in": globs}, CHANGE) is wanted


def test_all_any_not() -> None:
    yes, no = {"has": "limit"}, {"has": "nowhere"}
    assert holds({"all": [yes, yes]}, CHANGE)
    assert not holds({"all": [yes, no]}, CHANGE)
    assert holds({"any": [no, yes]}, CHANGE)
    assert not holds({"any": [no, no]}, CHANGE)
    assert holds({"not": no}, CHANGE)
    assert not holds({"not": yes}, CHANGE)
    assert holds({"not": {"all": [{"any": [no, yes]}, no]}}, CHANGE)


def test_a_moved_line_is_neither_added_nor_removed() -> None:
    moved = change("one = 1\ntwo = 2\n", "two = 2\none = 1\n")
    assert not holds({"adds": "one"}, moved)
    assert not holds({"removes": "one"}, moved)
    doubled = change("one = 1\n", "one = 1\none = 1\n")
    assert holds({"adds": "one"}, doubled)
    assert not holds({"removes": "one"}, doubled)


def test_a_line_indented_anew_is_both() -> None:
    indented = change("one = 1\n", "if True:\n    one = 1\n")
    assert holds({"adds": "one"}, indented)
    assert holds({"removes": "one"}, indented)


def test_another_call_of_an_old_function_is_added() -> None:
    twice = change("print(1)\n", "print(1)\nprint(2)\n")
    assert holds({"adds_call": "print"}, twice)
    assert not holds({"adds_name": ".*"}, twice)


def test_names_that_are_imported_and_methods() -> None:
    code = change("", "from requests import get as fetch\nfrom .deep import b\nClient().send(1)\n")
    assert holds({"imports": "requests.get"}, code)
    assert holds({"imports": ".deep.b"}, code)
    assert holds({"calls": "send"}, code)
    assert not holds({"calls": "Client.send"}, code)


def test_an_import_from_the_same_package() -> None:
    code = change("", "from . import fast\n")
    assert holds({"imports": ".fast"}, code)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("export function parseToken(a) {}\n", "parseToken"),
        ("type Shelf struct {\n", "Shelf"),
        ("const 宽度 = 1, x\nlet maxWidth = 2;\n", "maxWidth"),
        ("def broken(:\n", "broken"),
    ],
)
def test_what_python_cannot_parse_is_read_by_words(text: str, name: str) -> None:
    new = change("", text, "a.ts")
    assert holds({"defines": name}, new)
    assert holds({"adds_name": name}, new)
    assert not holds({"defines": name.lower() + "_"}, new)


def test_hits_tell_place_and_text() -> None:
    assert evaluate({"has": "print"}, CHANGE) == (True, ["src/a.py:6: print"])
    assert evaluate({"adds": "print"}, CHANGE) == (True, ["src/a.py:6: print(name)"])
    assert evaluate({"removes": "os.stat"}, CHANGE)[1] == ["src/a.py:5: return os.stat(name)"]
    assert evaluate({"writes": "src/*.py"}, CHANGE)[1] == ["src/a.py"]
    assert evaluate({"runs": "pytest"}, CHANGE)[1] == ["$ python -m pytest -q"]
    assert evaluate({"has": "nowhere"}, CHANGE) == (False, [])


def test_hits_below_a_not_tell_what_is_wrong() -> None:
    assert evaluate({"not": {"has": "print"}}, CHANGE) == (False, ["src/a.py:6: print"])


@pytest.mark.parametrize("predicate", [{"adds_call": "print"}, {"adds_name": "load_file"}])
def test_hits_of_names_tell_the_line(predicate: dict[str, Any]) -> None:
    (hit,) = evaluate(predicate, CHANGE)[1]
    assert hit.startswith(("src/a.py:5:", "src/a.py:6:"))


@pytest.mark.parametrize(
    ("predicate", "told"),
    [
        ("has", "expected a predicate"),
        ({}, "expected one predicate"),
        ({"in": "*.py"}, "expected one predicate"),
        ({"has": "a", "adds": "b"}, "expected one predicate"),
        ({"add": "a"}, "unknown predicate 'add'; nearest: adds"),
        ({"has": "("}, "is no pattern"),
        ({"count": {"pattern": "(", "n": 1}}, "is no pattern"),
        ({"count": {"pattern": "a"}}, "{pattern, n}"),
        ({"count": "a"}, "{pattern, n}"),
        ({"runs_before": {"first": "a"}}, "{first, then}"),
        ({"runs_before": {"first": "a", "then": "("}}, "is no pattern"),
        ({"has": 3}, "expected text, found 3"),
        ({"all": []}, "expected a list"),
        ({"any": {"has": "a"}}, "expected a list"),
        ({"not": {"has": "("}}, "here.not.has"),
        ({"all": [{"has": "a"}, {"hass": "a"}]}, "here.all[1]"),
    ],
)
def test_refused(predicate: Any, told: str) -> None:
    with pytest.raises(TaskError) as error:
        check_predicate(predicate, "here")
    assert str(error.value).startswith("here")
    assert told in str(error.value)


@pytest.mark.parametrize(
    "predicate",
    [{"has": "a", "in": 5}, {"has": "a", "in": {}}, {"count": {"pattern": "a", "n": "2"}}],
)
def test_refused_for_its_types(predicate: Any) -> None:
    with pytest.raises(TaskError):
        check_predicate(predicate, "here")


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("x = load()  # no print here", False, True),
        ("# print", False, True),
        ("s = '# ' + print(1)", True, True),
        ("print(  # half a statement", True, True),
    ],
)
def test_a_comment_is_not_code(line: str, code: bool, text: bool) -> None:
    change = Change({"a.py": ""}, {"a.py": line + "\n"})
    assert holds({"adds": "print"}, change) == code
    assert holds({"adds_text": "print"}, change) == text
    assert holds({"adds": "print"}, Change({"a.md": ""}, {"a.md": line})) == text
