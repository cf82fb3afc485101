"""Properties that hold for any text, change, window, log or file (drawn by hypothesis)."""

from __future__ import annotations

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

from fixtures import ORDER, fixture_data, fixture_files
from hypothesis import given
from hypothesis import strategies as st

from harness.checks import Change, evaluate, holds
from harness.command_text import normalise
from harness.config import config_folder
from harness.extract import extract
from harness.names import names_of
from harness.predicates import check_predicate
from harness.readers import NotRead, open_source, reader_of
from harness.rubric import load_rubric
from harness.scorer import Seam, score_window, window
from harness.store import Blobs, RunFolder, read_records
from harness.task_model import Task
from harness.tasks import parse_task
from harness.text import carried, split_carried
from harness.tools import parse_calls
from harness.transcript import Done, Turn, from_ranges, to_ranges
from harness.types import ITEMS, Usage

one = st.sampled_from
LINES = ["def run_x(v):\n", "    return v\n", "import os\n", "print(1)\n", "x = 'print()'\n", "(\n"]
LINES += ["\0", "from a import b\n", "# print(2)\n", "def runX():\n    pass\n", "中 = 1\n", '"""']
CODE = one(LINES)
SOURCE = st.lists(CODE, max_size=8).map("".join)
TEXT = st.one_of(SOURCE, st.text(max_size=60))
PATHS = one(["pkg/echo.py", "gen/echo.py", "a.md", "new\nline.py", "CHANGELOG.md", "目录/x.py"])
FILES = st.dictionaries(PATHS, TEXT, max_size=4)
CHANGES = st.builds(
    Change,
    before=FILES,
    after=FILES,
    writes=st.frozensets(PATHS, max_size=3),
    commands=st.lists(st.text(max_size=20), max_size=3),
)
PATTERN = one(["print", "^def ", "run[A-Z]", "\\bone\\b", "中", "x$", "(?s)a.*b"])
NAME = one(["print", "os", "run_x", "a.b", "x"])
GLOB = one(["**", "*.py", "pkg/*.py", "**/*.md", ["gen/**", "a.md"]])
IN_LINES = one(["has", "adds", "adds_text", "removes", "adds_name"])
IN_NAMES = one(["defines", "imports", "calls", "adds_import", "adds_call"])
OF_FILES = one(["exists", "writes", "creates"])
SIMPLE = st.one_of(
    st.builds(lambda kind, pattern, globs: {kind: pattern, "in": globs}, IN_LINES, PATTERN, GLOB),
    st.builds(lambda kind, name, globs: {kind: name, "in": globs}, IN_NAMES, NAME, GLOB),
    st.builds(lambda kind, glob: {kind: glob}, OF_FILES, one(["**", "*.py", "gen/**"])),
    st.builds(lambda p, n: {"count": {"pattern": p, "n": n}}, PATTERN, st.integers(0, 3)),
    st.builds(lambda pattern: {"runs": pattern}, PATTERN),
    st.builds(lambda p, q: {"runs_before": {"first": p, "then": q}}, PATTERN, PATTERN),
)


def _joined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.builds(lambda predicate: {"not": predicate}, inner),
        st.builds(lambda kind, parts: {kind: parts}, one(["all", "any"]), several),
    )


PREDICATES = st.recursive(SIMPLE, _joined, max_leaves=4)


@given(PREDICATES, CHANGES)
def test_every_predicate_judges_every_change(predicate: Any, change: Change) -> None:
    check_predicate(predicate, "p")
    before = copy.deepcopy(change)
    found, hits = evaluate(predicate, change)
    assert (found, hits) == evaluate(predicate, change) and change == before
    assert holds({"not": predicate}, change) is not found
    assert holds({"all": [predicate, {"not": predicate}]}, change) is False
    assert holds({"any": [predicate, {"not": predicate}]}, change) is True


@given(SIMPLE, FILES)
def test_nothing_is_added_or_removed_where_nothing_changed(predicate: Any, files: Any) -> None:
    if next(iter(predicate)).startswith(("adds", "removes", "writes", "creates", "runs")):
        assert evaluate(predicate, Change(files, dict(files))) == (False, [])


@given(SOURCE)
def test_a_broken_line_hides_no_name_that_a_parser_sees(source: str) -> None:
    try:
        compile(source, "s", "exec")
    except (SyntaxError, ValueError):
        return
    whole = names_of(source, python=True)
    broken = names_of(source + "\n)\n", python=True)
    for field in ("imports", "calls"):
        assert getattr(whole, field).keys() <= getattr(broken, field).keys()


@given(st.text())
def test_names_of_anything(text: str) -> None:
    lines = text.count("\n") + 1
    for python in (True, False):
        found = names_of(text, python)
        for field in ("imports", "calls", "defines"):
            assert all(1 <= n <= lines for ns in getattr(found, field).values() for n in ns)


TASK: Task = parse_task(fixture_data(), "tiny")
RUBRIC = load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")
CALLS = st.builds(
    Done,
    tool=one(["run", "read_file", "ask_user", "finish"]),
    args=st.builds(
        lambda c, p, q: {"command": c, "path": p, "question": q, "message": q},
        one(["sh check.sh", "PORT=8123 sh check.sh", "ls", ""]),
        PATHS,
        one(["What is the task?", "May I print something?", "All done.", "?"]),
    ),
    ok=st.booleans(),
    result=st.just(""),
)
WRITTEN = st.dictionaries(
    one(["pkg/echo.py", "gen/echo.py", "CHANGELOG.md", "x.md"]),
    st.one_of(st.none(), SOURCE),
    max_size=2,
)
TURNS = st.lists(
    st.tuples(st.text(max_size=30), st.lists(CALLS, max_size=3), WRITTEN), min_size=0, max_size=4
)
HIGH = ("constraints", "file_paths", "subgoals")


@given(TURNS)
def test_a_verdict_follows_from_its_evidence(drawn: Any) -> None:
    turns = [
        Turn(number, say, tuple(calls), written, Usage())
        for number, (say, calls, written) in enumerate(drawn, 7)
    ]
    facts = [fact.id for fact in TASK.facts]
    seam = Seam(facts, ORDER[:4], ORDER[4:], fixture_files())
    result = score_window(window(TASK, seam, turns, str), RUBRIC, 0)
    for item in ITEMS:
        judged = result["items"][item]
        assert judged["passed"] is None or judged["passed"] == (not judged["evidence"])
        for evidence in judged["evidence"]:
            assert evidence["mode"] in result["failure_modes"]
            assert not turns or 7 <= evidence["turn"] < 7 + len(turns)
    failed = {name for name, judged in result["items"].items() if judged["passed"] is False}
    assert result["continued"] == (not failed & set(HIGH))
    assert result["continued_strict"] == (not failed)
    if any("gen/echo.py" in turn.files for turn in turns):
        assert result["continued"] is False
    again = score_window(window(TASK, seam, turns, str), RUBRIC, 0)
    assert json.dumps(again) == json.dumps(result)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON, JSON, st.one_of(st.text(max_size=20), JSON))
def test_no_tool_call_that_a_model_sends_raises(calls: Any, name: Any, arguments: Any) -> None:
    for given_calls in (calls, [{"id": name, "function": {"name": name, "arguments": arguments}}]):
        parsed = parse_calls({"role": "assistant", "content": None, "tool_calls": given_calls})
        assert all(isinstance(call.name, str) and isinstance(call.args, dict) for call in parsed)


SAID = ("Never touch gen/a.py. ", "Use port 8123. ", "[carried:card]\n", "\n[/carried]")
SAID += ("- done: x\n", "请不要改 gen 目录。", "I have renamed pkg/a.py.\n", "\n", "`", "\x1b[31m")
TOLD = st.lists(one(SAID), max_size=8).map("".join)


def _message(role: str, text: str | None, arguments: list[str]) -> dict[str, Any]:
    calls = [
        {"id": "c", "type": "function", "function": {"name": "run", "arguments": given}}
        for given in arguments
    ]
    message: dict[str, Any] = {"role": role, "content": text}
    return {**message, "tool_calls": calls} if calls and role == "assistant" else message


MESSAGES = st.lists(
    st.builds(
        _message,
        one(["user", "assistant", "system"]),
        st.one_of(TOLD, st.text(max_size=30), st.none()),
        st.lists(st.text(max_size=15), max_size=2),
    ),
    max_size=6,
)


@given(MESSAGES)
def test_extraction_takes_any_history_and_changes_nothing(messages: Any) -> None:
    before = copy.deepcopy(messages)
    state = extract(messages)
    assert messages == before and extract(messages) == state
    said = "".join(m["content"] or "" for m in messages) + json.dumps(messages, ensure_ascii=False)
    for file in state.files:
        assert file.path.split("/")[-1] in said, "a path that nobody named"


@given(one(["card", "summary"]), TOLD)
def test_carried_text_cannot_leave_its_markers(kind: str, text: str) -> None:
    around = f"before\n{carried(kind, text)}\nafter"
    pieces = split_carried(around)
    assert [piece[0] for piece in pieces if piece[0]] == ([kind] if text.strip() else [])
    assert pieces[0] == (None, "before\n") and pieces[-1][1].strip() == "after"


@given(st.text())
def test_what_a_model_sees_of_output_is_fit_for_a_terminal(text: str) -> None:
    shown = normalise(text, {"/tmp/x": "/work"})
    assert not [c for c in shown if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160]
    assert normalise(shown) == shown


@given(st.lists(st.integers(-5, 40), max_size=20))
def test_ranges(numbers: list[int]) -> None:
    assert from_ranges(to_ranges(numbers)) == numbers


WRITABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
RECORDS = st.lists(st.tuples(one("abc"), WRITABLE), min_size=1, max_size=6)


@given(RECORDS, st.integers(0, 400))
def test_a_store_loses_nothing_but_a_torn_last_line(drawn: Any, torn: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        run = RunFolder(Path(name))
        records = [{"trial_id": i, "schema_version": 1, "text": text} for i, text in drawn]
        for record in records:
            run.append(record)  # type: ignore[arg-type]
        data = run.records_path.read_bytes()
        cut = max(0, len(data) - torn)
        run.records_path.write_bytes(data[:cut])
        whole = records[: data[:cut].count(b"\n")]
        assert read_records(run.records_path) == whole
        run.append(records[-1])  # type: ignore[arg-type]
        assert read_records(run.records_path) == [*whole, records[-1]]
        newest = {record["trial_id"]: record for record in [*whole, records[-1]]}
        assert run.records() == list(newest.values())
        blobs = Blobs(Path(name, "blobs"))
        assert [blobs.text(blobs.put(text.encode())) for _, text in drawn] == [t for _, t in drawn]


STARTS = [b"", b'{"type":"session_meta","payload":{}}\n', b'[{"role":"user","content":"x"}]']
STARTS += [b'{"type":"user","message":{"role":"user"}}\n', b'{"messages":[', b"PK\3\4"]
HEADS = one(STARTS)


@given(HEADS, st.binary(max_size=60), JSON)
def test_a_reader_takes_any_bytes_or_says_why_not(head: bytes, tail: bytes, value: Any) -> None:
    for data in (head + tail, head + json.dumps(value).encode() + b"\n" + tail):
        with tempfile.TemporaryDirectory() as name:
            path = Path(name, "session.jsonl")
            path.write_bytes(data)
            try:
                source = open_source(path)
                items = list(reader_of(source).items())
            except NotRead as error:
                assert str(error) and "\n" not in str(error)
            else:
                assert isinstance(items, list)
