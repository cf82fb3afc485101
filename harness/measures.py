"""Everything a record says about a trial beyond the rubric, and the whole score put together.

Retention (was a fact in the first view after the seam?) and use (was it obeyed where there was
occasion?) are kept apart: presence is not use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from harness import tokens
from harness.checks import Change, holds
from harness.evidence import plan_units, speech, tells_done
from harness.rubric import Rubric
from harness.scorer import Seam, Window, broken, questions, score_window, window
from harness.task_model import Subgoal, Task
from harness.text import matches_all, workspace_path
from harness.tools import parse_calls
from harness.transcript import Event, Turn, read_turns, view_at, work_of
from harness.types import FactResult, Message, WindowResult


@dataclass(frozen=True)
class Stored:
    """What is stored of a trial and its prefix: all that a score may depend on.

    seam: the prefix's seam.json. text: text of a blob by its SHA-256.
    """

    task: Task
    seam: dict[str, Any]
    prefix_events: Sequence[Event]
    events: Sequence[Event]
    text: Callable[[str], str]


def seam_of(stored: Stored) -> Seam:
    """The seam as the scorer takes it, file texts read from the blobs."""
    files = {path: stored.text(sha) for path, sha in stored.seam["manifest"].items()}
    return Seam(
        facts=stored.seam["facts"],
        done=stored.seam["seam"]["done"],
        open=stored.seam["seam"]["open"],
        files=files,
        owned=stored.seam["owned"],
    )


def score(stored: Stored, rubric: Rubric) -> dict[str, Any]:
    """The scored fields of a record, from stored data alone."""
    seam = seam_of(stored)
    turns = work_of(read_turns(stored.events), seam.owned)
    everything = window(stored.task, seam, turns, stored.text)
    chosen = split_windows(turns, rubric)
    registered = window(stored.task, seam, chosen["registered"], stored.text)
    windows: dict[str, WindowResult] = {}
    for name, part in chosen.items():
        same = next((known for known in windows if chosen[known] == part), None)
        windows[name] = windows[same] if same else _judged(stored, seam, part, rubric)
    return {
        "continued": windows["registered"]["continued"],
        "continued_strict": windows["registered"]["continued_strict"],
        "windows": windows,
        "facts": list(fact_results(stored, registered)),
        "first_response": first_response(turns),
        "plan_kept": plan_kept(stored),
        "turns_to_resume": turns_to_resume(everything),
        "turns_followed": len(turns),
        "tokens_reread": tokens_reread(stored, turns),
        "completed": next((e["passed"] for e in stored.events if e["type"] == "completion"), None),
    }


def _judged(stored: Stored, seam: Seam, turns: Sequence[Turn], rubric: Rubric) -> WindowResult:
    judged = window(stored.task, seam, turns, stored.text)
    return score_window(judged, rubric, _interventions(stored.events, turns))


def split_windows(turns: Sequence[Turn], rubric: Rubric) -> dict[str, list[Turn]]:
    """Turns of the registered window, the extended one, and the one straight from the seam."""
    work = [turn for turn in turns if turn.phase == "work"]
    extended: list[Turn] = []
    for turn in work[: rubric.extended_turns]:
        extended.append(turn)
        if sum(bool(t.files) for t in extended) >= rubric.extended_writes:
            break
    size = rubric.window_turns
    extended = extended if len(extended) >= size else work[:size]
    return {"registered": work[:size], "extended": extended, "from_seam": list(turns[:size])}


def over(turns: Sequence[Turn], rubric: Rubric) -> bool:
    """True once every scored window is complete."""
    work = [turn for turn in turns if turn.phase == "work"]
    writes = sum(bool(turn.files) for turn in work)
    enough = writes >= rubric.extended_writes or len(work) >= rubric.extended_turns
    return enough and len(work) >= rubric.window_turns


def _interventions(events: Sequence[Event], turns: Sequence[Turn]) -> int:
    numbers = {turn.number for turn in turns}
    answers = [e for e in events if e["type"] == "answer" and e["turn"] in numbers]
    return sum(answer["kind"] != "open_question" for answer in answers)


def fact_results(stored: Stored, registered: Window) -> Iterator[FactResult]:
    """Retention and use of every established fact, progress included."""
    first_turn = registered.turns[0].number if registered.turns else stored.seam["seam"]["turn"] + 1
    events = [*stored.prefix_events, *stored.events]
    said = [unit for message in view_at(events, first_turn) for unit in _told(message)]
    before = [
        (event["turn"], event["message"])
        for event in stored.prefix_events
        if event["type"] == "message"
        and event["message"]["role"] != "system"
        and event["source"] != "strategy"
    ]
    sizes = [(turn, tokens.count_message(message)) for turn, message in before]
    spoken = [unit for _, message in before for unit in _told(message)]
    stated = stored.seam["stated_turn"]
    for fact in stored.task.facts:
        if fact.id in stored.seam["facts"]:
            exposed = bool(registered.turns) and holds(fact.check.when, registered.change)
            yield {
                "id": fact.id,
                "kind": fact.kind,
                "loss": fact.loss,
                "present": any(matches_all(fact.evidence, unit) for unit, _ in said),
                "exposed": exposed,
                "obeyed": not broken(fact, registered.change) if exposed else None,
                "stated_turn": stated[fact.id],
                "mentions": sum(matches_all(fact.evidence, unit) for unit, _ in spoken),
                "age_tokens": sum(size for turn, size in sizes if turn > stated[fact.id]),
            }
    for subgoal in map(stored.task.subgoal, stored.seam["seam"]["done"]):
        exposed = any(path in registered.change.writes for path in subgoal.files)
        yield {
            "id": subgoal.id,
            "kind": "progress",
            "loss": "work_done",
            "present": any(own and tells_done(subgoal.evidence, unit) for unit, own in said),
            "exposed": exposed,
            "obeyed": _kept(subgoal, registered) if exposed else None,
            "stated_turn": stated[subgoal.id],
            "mentions": sum(own and tells_done(subgoal.evidence, unit) for unit, own in spoken),
            "age_tokens": sum(size for turn, size in sizes if turn > stated[subgoal.id]),
        }


def _told(message: Message) -> Iterator[tuple[str, bool]]:
    """Units of a message and of the plans in it, and whether they are the agent's own words."""
    yield from speech(message)
    for call in parse_calls(message):
        if call.name == "update_plan" and not call.error:
            yield from ((unit, True) for unit in plan_units(call.args["items"]))


def _kept(subgoal: Subgoal, registered: Window) -> bool:
    undone = not holds(subgoal.done_when, registered.change)
    at_seam = Change(registered.seam.files, registered.seam.files)
    repeated = (
        subgoal.redo is not None
        and not holds(subgoal.redo.seen_when, at_seam)
        and holds(subgoal.redo.seen_when, registered.change)
    )
    return not undone and not repeated


def first_response(turns: Sequence[Turn]) -> str | None:
    """Kind of the first response: works, reads, asks, restates, finishes; None for none."""
    if not turns:
        return None
    first = turns[0]
    used = {call.tool for call in first.calls}
    if "finish" in used:
        return "finishes"
    if questions(first):
        return "asks"
    if first.files or used & {"write_file", "edit_file"}:
        return "works"
    return "reads" if used & {"read_file", "run"} else "restates"


def plan_kept(stored: Stored) -> bool | None:
    """No step that was done in the last plan before the seam is open in the first one after it,
    and no open sub-goal it named is missing. None where either plan is missing."""
    before = _plans(stored.prefix_events)
    after = _plans(stored.events)
    if not before or not after:
        return None
    for subgoal in stored.task.subgoals:
        old, new = _status(before[-1], subgoal), _status(after[0], subgoal)
        if (old == "done" and new not in ("done", None)) or (old not in ("done", None) and not new):
            return False
    return True


def _plans(events: Sequence[Event]) -> list[list[dict[str, str]]]:
    return [
        call.args["items"]
        for event in events
        if event["type"] == "message" and event["message"]["role"] == "assistant"
        for call in parse_calls(event["message"])
        if call.name == "update_plan" and not call.error
    ]


def _status(plan: Sequence[dict[str, str]], subgoal: Subgoal) -> str | None:
    found = [item["status"] for item in plan if matches_all(subgoal.evidence, item["text"])]
    return found[0] if found else None


def turns_to_resume(everything: Window) -> int | None:
    """Turns from the seam to the first correct step on an open sub-goal; None if not seen."""
    still_open = [everything.task.subgoal(name) for name in everything.seam.open]
    for number, change in enumerate(everything.changes, 1):
        turn = everything.turns[number - 1]
        new = number == 1 or turn.files or turn.commands
        if new and any(holds(step.done_when, change) for step in still_open):
            return number
    return None


def tokens_reread(stored: Stored, turns: Sequence[Turn]) -> int:
    """Tokens of file contents read after the seam that had been read before it."""
    known = {
        workspace_path(call.args["path"])
        for turn in read_turns(stored.prefix_events)
        for call in turn.calls
        if call.tool == "read_file" and call.ok
    }
    return sum(
        tokens.count(call.result)
        for turn in turns
        for call in turn.calls
        if call.tool == "read_file" and call.ok and workspace_path(call.args["path"]) in known
    )
