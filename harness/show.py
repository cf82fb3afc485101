"""`seambench show`: one trial around its seam, as text."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from harness.measures import Stored
from harness.scorer import questions
from harness.task_model import Task
from harness.text import content_text
from harness.transcript import Turn, read_turns, view_at
from harness.types import ITEMS, Record

SHOWN_LINES = 12
LINE_CHARS = 2000


def show_trial(record: Record, stored: Stored) -> str:
    """What was established, what the view still held, the turns of the window, the verdict."""
    simulated = " (simulated: reference worker)" if record["simulated"] else ""
    seam = stored.seam["seam"]
    lines = [
        f"trial {record['trial_id']}  {record['task']}  {record['arm']}{simulated}",
        f"seam after turn {seam['turn']}, band {record['timing']}: "
        f"{len(seam['done'])} sub-goals done, {len(seam['open'])} open; "
        f"view {record['view_tokens']['before']} -> {record['view_tokens']['after']} tokens",
        "",
        f"Established before the seam: {len(record['facts'])} facts, of which "
        f"{sum(fact['present'] for fact in record['facts'])} are in the first view after it.",
        "view / LOST: in that view or not; obeyed / BROKEN: in the window, where it gave occasion",
        *_facts(record, stored.task),
        "",
        "Carried",
        *_carried(stored),
        "",
        "Turns of the window",
        *_turns(record, stored),
        "",
        "Verdict",
        *_verdict(record),
    ]
    return "\n".join(_cut(line) for line in "\n".join(lines).split("\n"))


def _cut(line: str) -> str:
    if len(line) <= LINE_CHARS:
        return line
    return f"{line[:LINE_CHARS]} [... {len(line) - LINE_CHARS} more characters]"


def _facts(record: Record, task: Task) -> Iterator[str]:
    says = {fact.id: fact.says for fact in task.facts}
    says.update({subgoal.id: subgoal.says for subgoal in task.subgoals})
    for fact in record["facts"]:
        view = "view" if fact["present"] else "LOST"
        use = {None: "", True: "obeyed", False: "BROKEN"}[fact["obeyed"]]
        yield f"  {view:4} {use:6} {fact['kind']:11} {says[fact['id']]}"


def _carried(stored: Stored) -> Iterator[str]:
    compaction = next(event for event in stored.events if event["type"] == "compaction")
    if not compaction["artefacts"]:
        yield "  nothing was carried" if not compaction["noop"] else "  nothing was removed"
    for kind, text in compaction["artefacts"].items():
        yield f"  {kind}:"
        yield from (f"    | {line}" for line in text.splitlines())
    first = stored.seam["seam"]["turn"] + 1
    if any(event["type"] == "view" and event["turn"] == first for event in stored.events):
        shown = view_at([*stored.prefix_events, *stored.events], first)
        yield "  injected at the first turn:"
        yield from (f"    | {line}" for line in content_text(shown[-1]).splitlines())


def _turns(record: Record, stored: Stored) -> Iterator[str]:
    files = {path: stored.text(sha) for path, sha in stored.seam["manifest"].items()}
    chosen = (record["windows"] or {})["registered"]["turns"]
    for turn in read_turns(stored.events):
        if turn.number > max(chosen, default=0):
            break
        mark = "" if turn.number in chosen else f" ({turn.phase})"
        yield f"  turn {turn.number}{mark}: {turn.say}".rstrip()
        yield from _calls(turn)
        for path, sha in turn.files.items():
            after = stored.text(sha) if sha else ""
            yield from _diff(path, files.get(path, ""), after)
            files[path] = after


def _calls(turn: Turn) -> Iterator[str]:
    for call in turn.calls:
        failed = "" if call.ok else "  -> " + " ".join(call.result.split())[:100]
        if call.tool == "run":
            yield f"    $ {call.args.get('command', '')}{failed}"
        elif call.tool in ("read_file", "write_file", "edit_file"):
            yield f"    {call.tool} {call.args.get('path', '')}{failed}"
        elif call.malformed:
            yield f"    malformed call{failed}"
    yield from (f"    asks: {question}" for question in questions(turn))


def _diff(path: str, before: str, after: str) -> Iterator[str]:
    made = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    changed = [line for line in made if not line.startswith(("---", "+++", "@@"))]
    yield f"    changed {path}"
    yield from (f"      {line}" for line in changed[:SHOWN_LINES])
    if len(changed) > SHOWN_LINES:
        yield f"      ... {len(changed) - SHOWN_LINES} more lines"


def _verdict(record: Record) -> Iterator[str]:
    window = (record["windows"] or {})["registered"]
    word = "continued" if window["continued"] else "NOT continued"
    strict = "continued" if window["continued_strict"] else "NOT continued"
    yield f"  {word} (strict: {strict}); first response: {record['first_response']}"
    for item in ITEMS:
        result = window["items"][item]
        told = {None: "nothing established", True: "passed", False: "FAILED"}[result["passed"]]
        told += "" if result["exercised"] else ", not exercised"
        yield f"  {item:12} {told}"
        for evidence in result["evidence"]:
            yield (
                f"    turn {evidence['turn']}, {evidence['mode']} [{evidence['fact']}]: "
                f"{evidence['what']} | {evidence['where']}"
            )
