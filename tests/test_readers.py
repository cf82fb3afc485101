"""Readers of session files: formats told by content, messages, seams, forks, damage."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import sessions
from benchmarks import fuzz_readers

from harness.errors import UserError
from harness.readers import NotRead, Source, find_files, open_source, reader_of
from harness.readers.base import Item, Mark, Said, Session

PROJECT = Path(__file__).resolve().parent.parent
REAL = Path(os.environ.get("SEAMBENCH_TRANSCRIPTS", PROJECT.parent / "shared" / "transcripts"))
needs_real = pytest.mark.skipif(not REAL.is_dir(), reason=f"no real session files in {REAL}")

SEAMS_OF_REAL_FILES = {
    "atif/terminus2-summarization.json": 1,
    "claude-code/cc-2.0.76-auto-6-steps-after.jsonl": 1,
    "claude-code/cc-2.1.14-manual-compact.jsonl": 1,
    "claude-code/cc-2.1.7-auto-28-steps-after.jsonl": 1,
    "claude-code/fixture-inspect-scout-compaction.jsonl": 1,
    "claude-code/schema-fixture-agent-sessions.jsonl": 2,
    "codex/DERIVED-local-plaintext-message-only.jsonl": 1,
    "codex/DERIVED-local-plaintext-with-replacement-history.jsonl": 1,
    "codex/DERIVED-paginated-history-mode.jsonl": 1,
    "codex/rollout-0.142.0-one-compaction.jsonl": 1,
    "codex/schema-fixture-agent-sessions.jsonl": 6,
    "opencode/export-1.4.3-auto-compaction.json": 1,
    "pi/pi-small-fixture.jsonl": 2,
    "pi/pi-v1-two-compactions.jsonl": 2,
}


def read(path: Path) -> tuple[Source, list[Item]]:
    source = open_source(path)
    return source, list(reader_of(source).items())


def of(kind: type, items: list[Item]) -> list:
    return [item for item in items if isinstance(item, kind)]


def text(said: Said) -> str:
    return str(said.message["content"])


@pytest.mark.parametrize("name", [*sessions.WRITERS, *sessions.PLAIN])
def test_every_format_is_told_by_its_content(tmp_path: Path, name: str) -> None:
    writer = {**sessions.WRITERS, **sessions.PLAIN}[name]
    path = sessions.write(tmp_path, "notes.txt", writer(sessions.story()))
    reader = reader_of(open_source(path))
    assert reader.name in (name, name.rsplit("-", 1)[0])


@pytest.mark.parametrize("name", sessions.WRITERS)
@pytest.mark.parametrize("chinese", [False, True])
def test_every_format_tells_the_same_story(tmp_path: Path, name: str, chinese: bool) -> None:
    story = sessions.story(chinese)
    source, items = read(sessions.write(tmp_path, "s", sessions.WRITERS[name](story)))
    said = of(Said, items)
    humans = [text(s) for s in said if s.human]
    assert humans == [step[1] for step in story if step[0] == "user"]
    replies = [s for s in said if s.role == "assistant"]
    assert [text(s) for s in replies] == [step[1] for step in story if step[0] == "agent"]
    assert [s.turn for s in replies] == [1, 2, 3, 4, 5, 6]
    assert len([s for s in said if s.role == "tool"]) == 5
    assert source.damage == [] and len(of(Session, items)) == 1


@pytest.mark.parametrize("name", sessions.WRITERS)
def test_every_format_shows_the_view_on_both_sides_of_a_seam(tmp_path: Path, name: str) -> None:
    _, items = read(sessions.write(tmp_path, "s", sessions.WRITERS[name](sessions.story())))
    (mark,) = of(Mark, items)
    assert (mark.number, mark.turn, mark.unread) == (1, 3, "")
    assert sessions.FORBID in "\n".join(text(s) for s in mark.before)
    after = "\n".join(text(s) for s in mark.after or ())
    assert sessions.SUMMARY in after and sessions.SUMMARY in mark.summary
    kept_by_the_program = name == "codex-message"
    assert (sessions.FORBID in after) == kept_by_the_program


@pytest.mark.parametrize("name", ["codex", "claude-code", "opencode", "pi", "gemini"])
def test_usage_is_read_once_for_each_response(tmp_path: Path, name: str) -> None:
    _, items = read(sessions.write(tmp_path, "s", sessions.WRITERS[name](sessions.story())))
    spent = [s.usage for s in of(Said, items) if s.usage]
    assert len(spent) == 6
    assert {usage.output for usage in spent} == {7}
    assert all(usage.cached in (10, 90) and usage.input >= usage.cached for usage in spent)


@pytest.mark.parametrize("name", sessions.PLAIN)
def test_formats_without_seams_are_read(tmp_path: Path, name: str) -> None:
    _, items = read(sessions.write(tmp_path, "s.json", sessions.PLAIN[name](sessions.story())))
    assert of(Mark, items) == []
    assert len([s for s in of(Said, items) if s.role == "assistant"]) == 6
    assert len([s for s in of(Said, items) if s.role == "tool"]) >= 5


def test_an_encrypted_summary_is_said_to_be_one(tmp_path: Path) -> None:
    path = sessions.write(tmp_path, "s", sessions.codex(sessions.story(), "encrypted"))
    (mark,) = of(Mark, read(path)[1])
    assert "encrypted" in mark.unread
    assert [s.human for s in mark.after or ()] == [True]


def codex_fork(parent: str, cut: int) -> str:
    base = {"thread_id": parent, "end_ordinal_exclusive": cut, "end_byte_offset": 1}
    meta = {"id": sessions.uuid(2), "history_base": base, "history_mode": "paginated"}
    part = {"type": "input_text", "text": "Go on from here, please."}
    item = {"type": "message", "role": "user", "content": [part]}
    return sessions.lines(
        [
            {"type": "session_meta", "ordinal": cut, "payload": meta},
            {"type": "response_item", "ordinal": cut + 1, "payload": item},
            {"type": "compacted", "payload": {"message": "short"}},
        ]
    )


def test_a_fork_knows_what_stands_in_its_parents_file(tmp_path: Path) -> None:
    day = tmp_path / "sessions" / "2026" / "03"
    parent = sessions.uuid(1)
    sessions.write(day / "01", f"rollout-a-{parent}.jsonl", sessions.codex(sessions.story()))
    fork = sessions.write(day / "02", "rollout-b.jsonl", codex_fork(parent, 11))
    source, items = read(fork)
    (mark,) = of(Mark, items)
    before = [text(s) for s in mark.before]
    assert source.notes == []
    assert (
        any(sessions.FORBID in one for one in before) and before[-1] == "Go on from here, please."
    )
    assert not any("check" in one for one in before)  # that came after the fork
    assert of(Session, items)[0].parent == parent


def test_a_missing_parent_is_noted_and_the_rest_is_read(tmp_path: Path) -> None:
    fork = sessions.write(tmp_path, "b.jsonl", codex_fork(sessions.uuid(7), 9))
    source, items = read(fork)
    assert len(of(Mark, items)) == 1
    assert len(source.notes) == 1 and sessions.uuid(7) in source.notes[0]


def test_claude_keeps_preserved_messages_and_attachments(tmp_path: Path) -> None:
    records = [json.loads(line) for line in sessions.claude(sessions.story()).splitlines()]
    at = next(n for n, r in enumerate(records) if r.get("subtype") == "compact_boundary")
    rule = next(r for r in records if sessions.FORBID in str(r.get("message")))
    kept = {"anchorUuid": "x", "uuids": [rule["uuid"]]}
    records[at]["compactMetadata"]["preservedMessages"] = kept
    attached = {"type": "file", "filename": "src/moth/units.py", "content": "KILO = 1000"}
    records.insert(at + 2, {**records[at], "type": "attachment", "attachment": attached})
    del records[at + 2]["subtype"]
    (mark,) = of(Mark, read(sessions.write(tmp_path, "s", sessions.lines(records)))[1])
    after = [text(s) for s in mark.after or ()]
    assert len(after) == 3
    assert after[1].startswith(sessions.FORBID) and "KILO = 1000" in after[2]


def test_claude_leaves_sub_agents_out_and_reads_their_own_files(tmp_path: Path) -> None:
    records = [json.loads(line) for line in sessions.claude(sessions.story()).splitlines()]
    aside = [{**r, "isSidechain": True} for r in records]
    both = sessions.write(tmp_path, "both", sessions.lines([*records, *aside]))
    source, items = read(both)
    assert len(of(Mark, items)) == 1 and "sub-agents" in source.notes[0]
    alone = read(sessions.write(tmp_path, "alone", sessions.lines(aside)))[1]
    assert len(of(Mark, alone)) == 1 and "sub-agent" in of(Session, alone)[0].agent


def test_claude_follows_a_user_who_goes_back(tmp_path: Path) -> None:
    def typed(number: int, parent: int, content: str, role: str = "user") -> dict:
        uuids = {"uuid": sessions.uuid(number), "parentUuid": sessions.uuid(parent)}
        message = {"role": role, "id": f"m{number}", "content": content}
        return {"type": role, "sessionId": "s", **uuids, "message": message}

    records = [
        typed(1, 0, "first"),
        typed(2, 1, "yes", "assistant"),
        typed(3, 2, "a wrong way"),
        typed(4, 3, "wrong", "assistant"),
        typed(5, 2, "another way"),
        {"type": "system", "subtype": "compact_boundary", "uuid": "b", "compactMetadata": {}},
    ]
    (mark,) = of(Mark, read(sessions.write(tmp_path, "s", sessions.lines(records)))[1])
    assert [text(s) for s in mark.before] == ["first", "yes", "another way"]


def test_a_file_may_begin_at_a_boundary(tmp_path: Path) -> None:
    records = sessions.claude(sessions.story()).splitlines(keepends=True)
    at = next(n for n, line in enumerate(records) if "compact_boundary" in line)
    (mark,) = of(Mark, read(sessions.write(tmp_path, "s", "".join(records[at:])))[1])
    assert mark.before == () and sessions.SUMMARY in mark.summary


def test_two_sessions_in_one_file_are_two_sessions(tmp_path: Path) -> None:
    first = sessions.codex(sessions.story())
    second = first.replace(sessions.uuid(1), sessions.uuid(3))
    items = read(sessions.write(tmp_path, "s", first + second))[1]
    assert [s.id for s in of(Session, items)] == [sessions.uuid(1), sessions.uuid(3)]
    assert [m.number for m in of(Mark, items)] == [1, 1]
    documents = sessions.opencode(sessions.story()) * 2
    assert len(of(Mark, read(sessions.write(tmp_path, "d", documents))[1])) == 2


def test_openhands_events_lie_one_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "conv" / "events"
    for number, line in enumerate(sessions.openhands(sessions.story()).splitlines()):
        sessions.write(folder, f"event-{number:05d}-ab.json", line)
    ((path, parts),) = find_files([str(tmp_path)])
    items = list(reader_of(open_source(path, parts)).items())
    assert len(parts) == 14 and len(of(Mark, items)) == 1
    assert of(Session, items)[0].id == "conv"


def test_gemini_tells_of_a_compression_whose_result_is_not_on_file(tmp_path: Path) -> None:
    message = {"id": "2", "type": "info", "content": "Chat history compressed from 9 to 3 tokens."}
    document = {
        "sessionId": "g",
        "projectHash": "h",
        "messages": [{"id": "1", "type": "user", "content": "hello"}, message],
    }
    (mark,) = of(Mark, read(sessions.write(tmp_path, "s.json", json.dumps(document)))[1])
    assert mark.after is None and "no snapshot" in mark.unread


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty file"),
        (b" \n\n", "empty file"),
        (b"\x7fELF\x00\x00\x01", "binary file"),
        (b"\x28\xb5\x2f\xfd rest", "packed with zstd"),
        (b"PK\x03\x04 rest of a zip", "zip file"),
        (b"# aider chat started at 2026-01-01 10:00:00\n\n#### hi\n", "aider"),
        (b"just some words\n", "no session format"),
        (b'{"a": 1}\n{"b": 2}\n', "no session format"),
    ],
)
def test_what_is_no_session_is_refused_with_a_reason(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(NotRead, match=reason):
        reader_of(open_source(path))


def test_a_path_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        list(find_files([str(tmp_path / "nothing")]))


def test_damaged_lines_are_reported_by_number_and_the_rest_is_read(tmp_path: Path) -> None:
    lines = sessions.codex(sessions.story()).splitlines()
    lines[4] = lines[4][:30]
    lines[6] = "[1, 2]"
    lines[8] = json.dumps({"type": "response_item", "payload": {"type": "message", "content": 5}})
    path = sessions.write(tmp_path, "s", "\n".join(lines) + '\n{"type": "compac')
    source, items = read(path)
    assert [number for number, _ in source.damage] == [5, 7, len(lines) + 1]
    assert "ends within it" in source.damage[-1][1]
    assert len(of(Mark, items)) == 1


def test_records_of_a_future_version_are_counted_and_passed_over(tmp_path: Path) -> None:
    extra = [
        {"type": "hologram", "payload": {"x": 1}},
        {"type": "response_item", "payload": {"type": "aura"}},
    ]
    path = sessions.write(tmp_path, "s", sessions.codex(sessions.story()) + sessions.lines(extra))
    source, items = read(path)
    assert source.skipped == {"hologram": 1, "response_item/aura": 1}
    assert len(of(Mark, items)) == 1 and source.damage == []


def test_a_document_that_is_cut_off_is_read_up_to_there(tmp_path: Path) -> None:
    whole = sessions.opencode(sessions.story())
    path = sessions.write(tmp_path, "s", whole[: len(whole) * 3 // 4])
    source, items = read(path)
    assert len(of(Mark, items)) == 1
    assert source.damaged_count == 1


def test_a_seam_with_no_summary_is_still_a_seam(tmp_path: Path) -> None:
    records = [json.loads(line) for line in sessions.claude(sessions.story()).splitlines()]
    records = [r for r in records if not r.get("isCompactSummary")]
    (mark,) = of(Mark, read(sessions.write(tmp_path, "s", sessions.lines(records)))[1])
    assert mark.after is None and "no summary" in mark.unread


def test_mutated_files_do_no_harm() -> None:
    """A small part of tests/benchmarks/fuzz_readers.py, which tries 100,000 lines."""
    assert fuzz_readers.run(400, seed=7) == []


MEMORY = """
import resource, sys
sys.path.insert(0, "tests")
from pathlib import Path
from harness.readers import open_source, reader_of
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
print(sum(1 for item in reader_of(open_source(Path(sys.argv[1]))).items()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["lines", "document"])
def test_a_large_file_is_read_in_bounded_memory(tmp_path: Path, kind: str) -> None:
    """300 MB of session under a limit of 500 MB of address space, interpreter included."""
    path = tmp_path / "large"
    head, step, foot = _large(kind)
    with path.open("w", encoding="utf-8") as file:
        file.write(head)
        for _ in range(300_000_000 // len(step)):
            file.write(step)
        file.write(foot)
    limit = 500 * 2**20
    command = [sys.executable, "-c", MEMORY, str(path), str(limit)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert int(done.stdout) > 1000
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != limit


def _large(kind: str) -> tuple[str, str, str]:
    output = "x" * 60_000
    if kind == "lines":
        whole = sessions.codex(sessions.story())
        item = {"type": "function_call_output", "call_id": "c", "output": output}
        return whole, sessions.lines([{"type": "response_item", "payload": item}]), ""
    message = json.dumps({"role": "tool", "tool_call_id": "c", "content": output})
    return '[{"role": "user", "content": "hi"}', f",\n{message}", "]"


@needs_real
def test_every_real_file_is_read_or_refused_with_a_reason() -> None:
    found: dict[str, int] = {}
    for path, parts in find_files([str(REAL)]):
        try:
            items = list(reader_of(open_source(path, parts)).items())
        except NotRead as error:
            assert str(error)
            continue
        found[path.relative_to(REAL).as_posix()] = len(of(Mark, items))
    known = {name: found.get(name) for name in SEAMS_OF_REAL_FILES}
    assert known == SEAMS_OF_REAL_FILES
    others = {name: seams for name, seams in found.items() if name not in SEAMS_OF_REAL_FILES}
    assert set(others.values()) <= {0} or any(name.startswith("inspect/") for name in others)


@needs_real
def test_a_real_inspect_log_is_read_by_inspect() -> None:
    pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")
    path = REAL / "inspect" / "generated-mockllm-two-summary-compactions.eval"
    marks = of(Mark, read(path)[1])
    assert [mark.number for mark in marks] == [1, 2]
    assert all(mark.summary for mark in marks)
