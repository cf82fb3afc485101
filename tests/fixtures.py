"""A minimal but full fixture, written as a folder, and a fixture's copy to be broken."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from harness.tasks import LoadedTask, load_task

PROJECT = Path(__file__).resolve().parent.parent
RENAMED = ("alpha", "bravo", "carol", "echo", "delta", "foxtrot", "golf", "hotel")
ORDER = ("alpha", "bravo", "changelog", *RENAMED[2:], "test")
LINE = "- Helpers have new names.\n"
MODULE = "def run{name}(value):\n    return value\n"

Data = dict[str, Any]
Change = Callable[[Data], None]

REQUEST = """Please rename the helpers of pkg, one part at a time.

Steps:
{steps}
- CHANGELOG.md: a line in the CHANGELOG
- tests/test_names.py: the test of names

New names are snake_case. Add no print calls. Leave the folder gen alone.
Checks are always run with PORT=8123.
"""

NEW_TEST = """from pkg.alpha import run_alpha


def test_names():
    given_back = run_alpha(1)
    assert given_back == 1
"""

HIDDEN = """import sys
from pathlib import Path

texts = [path.read_text(encoding="utf-8") for path in Path("pkg").glob("*.py")]
renamed = all("def run_" in text for text in texts)
sys.exit(not (renamed and Path("tests/test_names.py").is_file()))
"""


def fixture_files() -> dict[str, str]:
    """The codebase of the small fixture: path below repo/ -> text."""
    files = {f"pkg/{word}.py": MODULE.format(name=word.title()) for word in RENAMED}
    files["gen/echo.py"] = MODULE.format(name="Echo")
    files["CHANGELOG.md"] = "# Changes\n\n- First version.\n"
    files["check.sh"] = 'test "$PORT" = 8123\n'
    return files


def fixture_data() -> Data:
    """The task.yaml of the small fixture, as data. A fresh copy at every call."""
    return {
        "id": "rename/tiny",
        "family": "rename",
        "codebase": "pkg",
        "language": "en",
        "split": "dev",
        "request": {
            "text": REQUEST.format(
                steps="\n".join(f"- pkg/{word}.py: the {word} part" for word in RENAMED)
            ),
            "evidence": ["\\bhelpers\\b", "\\bpkg\\b"],
            "asks": [_ask("\\btask\\b", "What is the task?")],
        },
        "remarks": [
            {"id": "width", "after": "alpha", "text": "by the way, nothing over 40 columns please"}
        ],
        "detours": [
            {
                "after": "bravo",
                "say": "A search for callers.",
                "calls": [{"tool": "run", "args": {"command": "grep -rn callers pkg"}}],
            }
        ],
        "checks": {
            "own": "PORT=8123 sh check.sh",
            "generic": "sh check.sh",
            "full": "PORT=8123 sh check.sh all",
            "fact": "port",
        },
        "files": {
            "editable": ["pkg/*.py", "tests/*.py", "CHANGELOG.md"],
            "read_only": ["gen/**"],
            "decoys": {"pkg/echo.py": "gen/echo.py"},
        },
        "facts": _facts(),
        "subgoals": [_subgoal(name) for name in ORDER],
        "slips": _slips(),
        "alternatives": [
            {
                "id": "other_name",
                "says": "Another name in the same style.",
                "after": "changelog",
                "turns": [[_edit("carol", "def runCarol", "def carol_runs")]],
            }
        ],
        "open_questions": [
            {"asks": _ask("\\bREADME\\b", "Is a README needed?"), "answer": "No, it is not."}
        ],
        "completion": {"run": "python hidden/check.py"},
    }


def _ask(pattern: str, sample: str) -> Data:
    return {"match": [pattern], "sample": sample}


def _fact(name: str, kind: str, says: str, evidence: list[str], when: Data, then: Data) -> Data:
    return {
        "id": name,
        "kind": kind,
        "says": says,
        "stated_in": "request",
        "evidence": evidence,
        "check": {"when": when, "then": {"not": then}},
    }


def _facts() -> list[Data]:
    code, ours = {"writes": "pkg/*.py"}, {"in": "pkg/*.py"}
    camel = {"adds_name": "[a-z]+[A-Z]\\w*", "in": "**/*.py"}
    any_name = {"adds_name": ".*", "in": "**/*.py"}
    never = ["\\bprint\\b", "\\b(no|never)\\b"]
    generated = {"writes": "gen/**"}
    leave = ["\\bgen\\b", "\\b(leave|alone)\\b"]
    bare = {"runs": "^sh check"}
    wide = {"adds_text": "^.{41,}", **ours}
    facts = [
        _fact("no_print", "constraint", "Add no print calls.", never, code, {"adds_call": "print"}),
        _fact("snake", "naming", "Names are snake_case.", ["\\bsnake_case\\b"], any_name, camel),
        _fact("vendor", "path", "Leave the folder gen alone.", leave, generated, generated),
        _fact(
            "port",
            "environment",
            "Checks are always run with PORT=8123.",
            ["PORT=8123", "\\balways\\b"],
            {"runs": "check\\.sh"},
            bare,
        ),
        _fact("short", "constraint", "Nothing over 40 columns.", ["\\b40 columns\\b"], code, wide),
    ]
    facts[-1]["stated_in"] = "width"
    facts[0]["asks"] = [_ask("\\bprint\\b", "May I print something?")]
    return facts


def _edit(word: str, old: str, new: str) -> Data:
    return {"path": f"pkg/{word}.py", "old": old, "new": new}


def _subgoal(name: str) -> Data:
    if name == "changelog":
        return _changelog()
    if name == "test":
        return {
            "id": "test",
            "says": "There is a test of names.",
            "names": ["the test of names", "a test of names"],
            "evidence": ["\\btest_names\\b|\\btest of names"],
            "files": ["tests/test_names.py"],
            "needs": ["snake"],
            "edits": [{"path": "tests/test_names.py", "content": NEW_TEST}],
            "done_when": {"has": "^def test_", "in": "tests/test_names.py"},
        }
    need = {"echo": "vendor", "foxtrot": "short"}.get(name, "no_print")
    path, old = f"pkg/{name}.py", f"def run{name.title()}"
    return {
        "id": name,
        "says": f"The {name} part is renamed.",
        "names": [f"the {name} part", f"the part called {name}"],
        "evidence": [f"\\b{name}\\b"],
        "files": [path],
        "needs": [need, "snake"],
        "edits": [_edit(name, old, f"def run_{name}")],
        "done_when": {"all": [{"exists": path}, {"not": {"has": old, "in": path}}]},
    }


def _changelog() -> Data:
    top, first = "# Changes\n\n", "- First version.\n"
    change = {"path": "CHANGELOG.md", "old": top + first, "new": top + LINE + first}
    again = {"path": "CHANGELOG.md", "old": LINE + first, "new": LINE + LINE + first}
    pattern = "^- Helpers have new names"
    return {
        "id": "changelog",
        "says": "The CHANGELOG has a line.",
        "names": ["the CHANGELOG line", "a line in the CHANGELOG"],
        "evidence": ["\\bCHANGELOG\\b"],
        "files": ["CHANGELOG.md"],
        "edits": [change],
        "done_when": {"has": pattern, "in": "CHANGELOG.md"},
        "redo": {
            "edits": [again],
            "seen_when": {"count": {"pattern": pattern, "n": 2}, "in": "CHANGELOG.md"},
        },
    }


def _slips() -> list[Data]:
    plain = [word for word in RENAMED if word not in ("echo", "foxtrot")]
    camel = {f"run_{word}": f"go{word.title()}" for word in RENAMED}
    # The edits end before the arguments, so that what a slip adds comes at the end of the new name.
    noisy = {f"def run_{word}": f"print()\n\n\ndef run_{word}" for word in plain}
    wide = {"def run_foxtrot": "# " + "x" * 45 + "\ndef run_foxtrot"}
    decoy = {"path": "gen/echo.py", "old": "def runEcho", "new": "def run_echo"}
    return [
        {"fact": "no_print", "subgoals": plain, "replace": noisy},
        {"fact": "short", "subgoals": ["foxtrot"], "replace": wide},
        {"fact": "snake", "subgoals": "all", "replace": {**camel, "given_back": "givenBack"}},
        {"fact": "vendor", "subgoal": "echo", "edits": [decoy]},
    ]


def write_fixture(place: Path, change: Change | None = None) -> Path:
    """Write the small fixture below `place`, its data changed first; the fixture's folder."""
    data = fixture_data()
    if change:
        change(data)
    folder = place / "rename" / "tiny"
    for path, text in fixture_files().items():
        _write(folder / "repo" / path, text)
    _write(folder / "completion" / "hidden" / "check.py", HIDDEN)
    _write(folder / "task.yaml", _yaml(data))
    return folder


def small_task(place: Path, change: Change | None = None) -> LoadedTask:
    """The small fixture, written and loaded."""
    return load_task(write_fixture(place, change))


def copy_fixture(name: str, place: Path, change: Change) -> Path:
    """A copy of a fixture of the corpus below `place`, its task.yaml changed."""
    folder = place / name
    shutil.copytree(PROJECT / "tasks" / name, folder)
    path = folder / "task.yaml"
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    data = json.loads(json.dumps(data))  # what is shared by a YAML anchor must not change together
    change(data)
    _write(path, _yaml(data))
    return folder


def named(data: Data, section: str, name: str) -> Data:
    """The entry of a section of task.yaml with this id."""
    return next(entry for entry in data[section] if entry["id"] == name)


def _yaml(data: Data) -> str:
    return yaml.dump(data, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
