"""The event log: what was shown can be derived from it, it grows linearly, and damage is told."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.text import carried
from harness.transcript import (
    Event,
    Transcript,
    from_ranges,
    read_events,
    read_turns,
    to_ranges,
    view_at,
)
from harness.types import Message

COMPACTION = {"artefacts": {}, "usage": {}, "noop": False, "notes": []}


def say(text: str, *calls: str) -> Message:
    """An assistant message that reads files."""
    message: Message = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                "id": f"{text}-{number}",
                "type": "function",
                "function": {"name": "read_file", "arguments": json.dumps({"path": path})},
            }
            for number, path in enumerate(calls)
        ]
    return message


def take_turn(log: Transcript, turn: int, text: str, *results: str) -> None:
    """A reply that reads one file for each result, the results, and the end of the turn."""
    reply = say(text, *(f"f{number}.py" for number in range(len(results))))
    log.add(reply, turn, "agent")
    numbers = []
    for number, result in enumerate(results):
        message = {"role": "tool", "tool_call_id": f"{text}-{number}", "content": result}
        log.add(message, turn, "tool")
        numbers.append(log.number(message))
    log.write(
        {
            "type": "turn",
            "turn": turn,
            "phase": "work",
            "reply": log.number(reply),
            "results": numbers,
            "ok": [True] * len(results),
            "files": {},
            "usage": {"input": 10, "cached": 0, "output": turn},
        }
    )


def begin(log: Transcript) -> None:
    log.add({"role": "system", "content": "你是一个助手。"}, 0, "system")
    log.add({"role": "user", "content": "Rename it."}, 1, "request")


def played(path: Path, seed: int, turns: int = 40) -> tuple[list[Event], dict[int, list[Message]]]:
    """A log with remarks, injections, compactions and repeated messages; views as shown by turn."""
    rng = random.Random(seed)
    shown: dict[int, list[Message]] = {}
    with path.open("w", encoding="utf-8") as file:
        log = Transcript(file)
        begin(log)
        for turn in range(1, turns + 1):
            if rng.random() < 0.2:
                remark = {"role": "user", "content": rng.choice(["as agreed", "好的", f"r{turn}"])}
                log.add(remark, turn, "user")
            if rng.random() < 0.1:
                kept = rng.sample(log.view, k=min(3, len(log.view)))
                card = {"role": "user", "content": carried("card", f"- [x] {rng.randint(1, 3)}")}
                log.compact([log.view[0], card, *kept], turn, COMPACTION)
            view = log.view
            if rng.random() < 0.3:
                memory = carried("memory", rng.choice(["same", f"new {turn}"]))
                view = [*view, {"role": "user", "content": memory}]
                log.show(view, turn)
            shown[turn] = list(view)
            results = [rng.choice(["text\n", f"text {turn}"]) for _ in range(rng.randint(0, 2))]
            take_turn(log, turn, rng.choice(["I look.", f"step {turn}"]), *results)
    return read_events(path), shown


@pytest.mark.parametrize("seed", range(8))
def test_the_view_of_every_turn_is_what_was_shown(tmp_path: Path, seed: int) -> None:
    events, shown = played(tmp_path / "events.jsonl", seed)
    assert {e["type"] for e in events} >= {"message", "again", "turn", "view", "compaction"}
    for turn, view in shown.items():
        assert view_at(events, turn) == view, turn


@pytest.mark.parametrize("seed", range(4))
def test_every_message_is_stored_once(tmp_path: Path, seed: int) -> None:
    events, shown = played(tmp_path / "events.jsonl", seed)
    stored = [e["message"] for e in events if e["type"] == "message"]
    numbers = sorted(e["n"] for e in events if e["type"] == "message")
    assert numbers == list(range(numbers[0], numbers[0] + len(stored)))
    distinct = {json.dumps(m, sort_keys=True) for m in stored}
    assert len(distinct) == len(stored)
    assert distinct >= {json.dumps(m, sort_keys=True) for view in shown.values() for m in view}


def test_a_fork_goes_on_from_its_prefix(tmp_path: Path) -> None:
    prefix = Transcript()
    begin(prefix)
    take_turn(prefix, 1, "I look.", "a = 1\n")
    at_seam = prefix.view
    with (tmp_path / "events.jsonl").open("w", encoding="utf-8") as file:
        fork = Transcript(file, prefix.events)
        assert fork.view == at_seam
        card = {"role": "user", "content": carried("card", "- [x] a")}
        fork.compact([at_seam[0], card], 2, COMPACTION)
        take_turn(fork, 2, "I go on.", "b = 1\n")
    own = read_events(tmp_path / "events.jsonl")
    assert all(e["n"] >= len(at_seam) for e in own if e["type"] == "message")
    assert at_seam[1] not in [e["message"] for e in own if e["type"] == "message"]
    assert view_at([*prefix.events, *own], 1) == at_seam[:2]
    assert view_at([*prefix.events, *own], 2) == [at_seam[0], card]
    assert len(view_at([*prefix.events, *own], 3)) == 4


def test_turns_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with path.open("w", encoding="utf-8") as file:
        log = Transcript(file)
        begin(log)
        take_turn(log, 1, "先看一下。", "x = 1\n", "y = 2\n")
        take_turn(log, 2, "Nothing to do.")
        log.add(say("cut off", "f.py"), 3, "agent")
    first, second = read_turns(read_events(path))
    assert (first.number, first.say) == (1, "先看一下。")
    assert [(c.tool, c.args, c.result) for c in first.calls] == [
        ("read_file", {"path": "f0.py"}, "x = 1\n"),
        ("read_file", {"path": "f1.py"}, "y = 2\n"),
    ]
    assert (second.calls, second.usage.output) == ((), 2)


def bytes_of(path: Path, turns: int, injection: str) -> int:
    """Size of a log whose view is cut at turn 2 and gets `injection` at every later turn."""
    with path.open("w", encoding="utf-8") as file:
        log = Transcript(file)
        begin(log)
        for turn in range(1, turns + 1):
            if turn == 2:
                log.compact(log.view[:1], turn, COMPACTION)
            if turn >= 2:
                memory = carried("memory", injection.format(turn=turn % 1000))
                log.show([*log.view, {"role": "user", "content": memory}], turn)
            take_turn(log, turn, f"step {turn:04}", f"text {turn:04} " + "x" * 80)
    return path.stat().st_size


def test_the_log_grows_linearly(tmp_path: Path) -> None:
    sizes = [bytes_of(tmp_path / "e.jsonl", turns, "- the same rules") for turns in (60, 120, 240)]
    assert sizes[2] - sizes[1] == pytest.approx(2 * (sizes[1] - sizes[0]), rel=0.05)


def test_the_log_grows_linearly_where_the_injection_changes(tmp_path: Path) -> None:
    sizes = [bytes_of(tmp_path / "e.jsonl", turns, "- at {turn:04}") for turns in (60, 120, 240)]
    assert sizes[2] - sizes[1] == pytest.approx(2 * (sizes[1] - sizes[0]), rel=0.05)


def test_ranges() -> None:
    assert to_ranges([3, 4, 5, 9, 2, 2]) == [[3, 5], [9, 9], [2, 2], [2, 2]]
    assert from_ranges([[3, 5], [9, 9], [2, 2], [2, 2]]) == [3, 4, 5, 9, 2, 2]
    assert to_ranges([]) == from_ranges([]) == []


def log_file(path: Path) -> list[str]:
    """A log of two turns on disk; its lines."""
    with path.open("w", encoding="utf-8") as file:
        log = Transcript(file)
        begin(log)
        take_turn(log, 1, "一", "a")
        take_turn(log, 2, "two", "b")
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def test_events_are_on_disk_before_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with path.open("w", encoding="utf-8") as file:
        begin(Transcript(file))
        assert len(read_events(path)) == 2


@pytest.mark.parametrize("torn", ['{"type": "mess', '{"type": "message", "n": 9}', '"'])
def test_a_torn_last_line_is_left_out(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "events.jsonl"
    lines = log_file(path)
    whole = read_events(path)
    path.write_text("".join(lines) + torn, encoding="utf-8")
    assert read_events(path) == whole
    assert len(whole) == len(lines)


def test_a_last_line_torn_within_a_character_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    log_file(path)
    whole = read_events(path)
    path.write_bytes(path.read_bytes() + '{"type": "message", "message": "请'.encode()[:-1])
    assert read_events(path) == whole


@pytest.mark.parametrize("number", [1, 3])
def test_damage_elsewhere_is_told_with_its_line(tmp_path: Path, number: int) -> None:
    path = tmp_path / "events.jsonl"
    lines = log_file(path)
    lines[number - 1] = lines[number - 1][:20] + "\n"
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(UserError, match=f"line {number} is damaged") as error:
        read_events(path)
    assert str(path) in str(error.value)
