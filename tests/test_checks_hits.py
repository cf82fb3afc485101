"""What predicates over a change find, to the letter: path, line, text, order."""

from __future__ import annotations

from typing import Any

import pytest

from harness.checks import Change, evaluate, holds


def change(before: str | None, after: str | None, path: str = "a.py") -> Change:
    sides = [{} if text is None else {path: text} for text in (before, after)]
    return Change(sides[0], sides[1], frozenset({path}))


def hits(predicate: dict[str, Any], made: Change) -> list[str]:
    found, told = evaluate(predicate, made)
    assert found is bool(told)
    return told


SEVERAL = Change(
    before={"b.py": "import os\n", "old.md": "- one\n", "same.py": "y = 2\n"},
    after={
        "b.py": "import os\nimport re\nprint(1)\nprint(2)\n",
        "a.py": "def f(x):\n    print(x)\n",
    }
    | {"same.py": "y = 2\n"},
    writes=frozenset({"b.py", "a.py", "old.md"}),
)


@pytest.mark.parametrize(
    ("predicate", "told"),
    [
        ({"has": "print"}, ["a.py:2: print", "b.py:3: print"]),
        ({"has": "^ +print.*$"}, ["a.py:2: print(x)"]),
        ({"exists": "*.py"}, ["a.py", "b.py", "same.py"]),
        ({"exists": "old.md"}, []),
        ({"defines": "x"}, ["a.py:1: x"]),
        ({"imports": "re"}, ["b.py:2: re"]),
        ({"calls": "print"}, ["a.py:2: print", "b.py:3: print"]),
        ({"calls": "print", "in": ["b*", "old.md"]}, ["b.py:3: print"]),
        ({"count": {"pattern": "print", "n": 3}}, ["3 times print"]),
        ({"count": {"pattern": "nowhere", "n": 0}}, ["0 times nowhere"]),
        ({"adds": "print"}, ["a.py:2: print(x)", "b.py:3: print(1)", "b.py:4: print(2)"]),
        ({"adds": "y = 2"}, []),
        ({"removes": "one"}, ["old.md:1: - one"]),
        ({"adds_import": "re"}, ["b.py:2: re"]),
        ({"adds_import": "os"}, []),
        ({"adds_call": "print"}, ["a.py:2: print", "b.py:3: print"]),
        ({"adds_name": "f|x"}, ["a.py:1: f", "a.py:1: x"]),
        ({"adds_name": "y"}, []),
        ({"writes": "*.py"}, ["a.py", "b.py"]),
        ({"creates": "**"}, ["a.py"]),
        (
            {"any": [{"has": "nowhere"}, {"exists": "a.py"}, {"has": "^y"}]},
            ["a.py", "same.py:1: y"],
        ),
    ],
)
def test_several_files_are_told_in_order(predicate: dict[str, Any], told: list[str]) -> None:
    assert hits(predicate, SEVERAL) == told


def test_what_a_joined_predicate_found() -> None:
    parts = [{"exists": "a.py"}, {"has": "nowhere"}]
    assert evaluate({"all": parts}, SEVERAL) == (False, ["a.py"])
    assert evaluate({"not": {"all": parts}}, SEVERAL) == (True, ["a.py"])
    assert evaluate({"all": parts[:1]}, SEVERAL) == (True, ["a.py"])
    assert evaluate({"any": parts[1:]}, SEVERAL) == (False, [])
    assert evaluate({"in": "b.py", "has": "print"}, SEVERAL) == (True, ["b.py:3: print"])


def test_long_hits_are_cut() -> None:
    line, command = "x = '" + "a" * 300 + "'", "echo " + "b" * 300
    made = Change({"a.py": line}, {"b.py": f"  {line}"}, commands=(command,))
    assert hits({"has": "^.*$"}, made) == [f"b.py:1: {line[:120]}"]
    assert hits({"has": "x.*"}, made) == [f"b.py:1: {line[:120]}"]
    assert hits({"adds": "x"}, made) == [f"b.py:1: {line[:120]}"]
    assert hits({"removes": "x"}, made) == [f"a.py:1: {line[:120]}"]
    assert hits({"runs": "^echo"}, made) == [f"$ {command[:200]}"]
    both = {"first": "echo", "then": "echo"}
    assert hits({"runs_before": both}, made) == [f"$ {command[:200]}"]


def test_lines_are_counted_where_they_are_more() -> None:
    made = change("one\ntwo\n", "two\none\nnew\none\none\n", "a.md")
    assert hits({"adds": "one|two|new"}, made) == ["a.md:3: new", "a.md:4: one", "a.md:5: one"]
    assert hits({"removes": "."}, made) == []
    assert hits({"adds": "."}, change("one\none\n", "one\none\nnew\n")) == ["a.py:3: new"]
    assert hits({"removes": "two|one"}, change("one\none\ntwo\n", "one\n", "a.md")) == [
        "a.md:2: one",
        "a.md:3: two",
    ]


def test_a_removed_file_has_lost_all_of_its_lines() -> None:
    made = change("import os\n", None)
    assert hits({"removes": "import"}, made) == ["a.py:1: import os"]
    for predicate in ({"adds": "."}, {"adds_import": "os"}, {"adds_name": ".*"}, {"has": "os"}):
        assert hits(predicate, made) == []


def test_a_pattern_of_text_is_multi_line_and_one_of_a_command_is_not() -> None:
    made = Change({}, {"a.md": "one\ntwo\n"}, commands=("make lint\npytest -q",))
    assert hits({"has": "^two$"}, made) == ["a.md:2: two"]
    assert hits({"has": "two"}, change("", "\n\ntwo\n")) == ["a.py:3: two"]
    assert hits({"count": {"pattern": "^...$", "n": 2}}, made) == ["2 times ^...$"]
    assert hits({"runs": "^pytest"}, made) == []
    assert hits({"runs": "pytest"}, made) == ["$ make lint\npytest -q"]
    assert hits({"runs_before": {"first": "^pytest", "then": "make"}}, made) == []
    assert hits({"runs_before": {"first": "make", "then": "^pytest"}}, made) == []


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        (("lint", "test a", "test b"), ["$ test a", "$ test b"]),
        (("lint && test",), ["$ lint && test"]),
        (("test a", "lint", "test b"), []),
        (("lint", "ls"), []),
        (("lint", "ls", "test"), ["$ test"]),
        ((), []),
    ],
)
def test_each_then_has_a_first_before_it(commands: tuple[str, ...], told: list[str]) -> None:
    made = Change({}, {}, commands=commands)
    assert hits({"runs_before": {"first": "lint", "then": "test"}}, made) == told


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("    x = 1  # print", "^    x = 1  $"),
        ("x = '#' # print", "^x = '#' $"),
        ("x = 1", "^x = 1$"),
        ("f('#',", "^f\\('#',$"),
        ("f(  # print", "^f\\(  $"),
        ("\tx = 1\t# print", "^\tx = 1\t$"),
    ],
)
def test_a_comment_is_cut_off_and_nothing_else(line: str, kept: str) -> None:
    told = [f"a.py:1: {line.strip()}"]
    assert hits({"adds": kept}, change("", line + "\n")) == told
    assert hits({"adds": "print"}, change("", line + "\n")) == []
    assert hits({"adds": "#|1"}, change("", line + "\n", "a.md")) == [f"a.md:1: {line.strip()}"]


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("from .far.sub import x\n", ".far", True),
        ("from .far.sub import x\n", ".far.sub.x", True),
        ("from .far.sub import x\n", "far", False),
        ("from .farther import x\n", ".far", False),
        ("from . import fast\n", ".", True),
        ("from .far import x\n", ".", True),
        ("import os\n", ".", False),
        ("import os.path\n", "os", True),
        ("import os.path\n", "path", False),
    ],
)
def test_a_module_is_imported_with_what_is_in_it(text: str, wanted: str, found: bool) -> None:
    assert holds({"imports": wanted}, change("", text)) is found
    assert holds({"adds_import": wanted}, change("", text)) is found
    assert not holds({"adds_import": wanted}, change(text, text + "x = 1\n"))


def test_a_call_is_known_by_the_end_of_its_name() -> None:
    made = change("", "a.b.send(1)\nresend(2)\n")
    assert hits({"calls": "send"}, made) == ["a.py:1: a.b.send"]
    assert hits({"calls": "b.send"}, made) == ["a.py:1: a.b.send"]
    assert hits({"calls": "a.b"}, made) == []
    assert hits({"defines": "send"}, made) == []


@pytest.mark.parametrize(("path", "python"), [("a.py", True), ("a.pyi", True), ("a.txt", False)])
def test_only_python_is_read_as_python(path: str, python: bool) -> None:
    broken = change("", "def (:\nprint(1)\n", path)
    assert holds({"calls": "print"}, broken) is python
    assert holds({"adds_call": "print"}, broken) is python


def test_a_call_that_no_new_line_makes_is_told_by_its_last_line() -> None:
    quoted = '"""\nprint(1)\nprint(2)\n"""\n'
    made = change(quoted, "print(1)\nprint(2)\n")
    assert hits({"adds_call": "print"}, made) == ["a.py:2: print"]
    assert hits({"adds_name": "f"}, change('"""\ndef f(): 1\n"""\n', "def f(): 1\n")) == [
        "a.py:1: f"
    ]


def test_another_use_is_told_by_its_new_line() -> None:
    made = change("print(1)\n\nprint(3)\n", "print(1)\nprint(2)\nprint(3)\nprint(4)\n")
    assert hits({"adds_call": "print"}, made) == ["a.py:2: print"]
    fewer = change("print(1)\nprint(2)\n", "print(3)\n")
    assert hits({"adds_call": "print"}, fewer) == []
    assert hits({"adds_call": "print"}, change("print(1)\n", "print(2)\n")) == []
    defined = change("f = 1\n", "f = 1\ng = 2\nf = 3\n")
    assert hits({"adds_name": ".*"}, defined) == ["a.py:2: g"]
    defined = change("f = 1\n", "g = 2\nf = 1\ng = 3\n")
    assert hits({"adds_name": ".*"}, defined) == ["a.py:1: g"]


@pytest.mark.parametrize("path", ["[id].py", "a*.py", "a?.py", "{a,b}.py", "目录/文件.py"])
def test_a_path_is_no_pattern(path: str) -> None:
    before, after = {path: "f()\n", "ab.py": ""}, {path: "f()\nx = 1\nf()\n", "ab.py": "f()\n"}
    told = hits({"adds_call": "f"}, Change(before, after))
    assert sorted(told) == sorted([f"{path}:3: f", "ab.py:1: f"])
