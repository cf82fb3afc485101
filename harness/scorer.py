"""The verdict: (task, seam, turns, file texts, rubric) -> score with evidence. A pure function.

Judged from what was done in a window (files, commands, questions), never from what the agent says
it remembers. The reader finds the verdict in `score_window`, one function per item below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from harness.checks import Change, evaluate, holds
from harness.evidence import OPEN_MARKS
from harness.rubric import Rubric
from harness.task_model import Fact, Subgoal, Task
from harness.text import glob_match, units, workspace_path
from harness.transcript import Turn
from harness.types import ITEMS, Evidence, ItemResult, WindowResult

LATER = re.compile(
    r"\b(?:for now|temporar\w+|later|todo|fixme)\b|暂时|临时|后续|以后再|回头再", re.I
)
RECALL = re.compile(r"\bas (?:we )?(?:discussed|agreed)\b|如前所述|之前说过|按之前", re.I)
QUESTION = re.compile(r"[?？]|吗[。\s]*$|\b(?:should I|shall I|could you tell)\b|请问", re.I)
FINISHED = re.compile(
    r"\b(?:all|everything|task|work)\b[^.\n]{0,40}\b(?:done|finished|complete[d]?)\b|"
    r"(?:全部|都|任务)[^。\n]{0,12}(?:完成|做完|改完)",
    re.I,
)
IGNORED = ("**/__pycache__/**", "**/.pytest_cache/**", "**/*.pyc")


@dataclass(frozen=True)
class Seam:
    """What stood at the seam. `facts`, `done`, `open`: established facts and sub-goal ids.

    files: text of every file by path. owned: globs of files that belong to the strategy.
    """

    facts: Sequence[str]
    done: Sequence[str]
    open: Sequence[str]
    files: Mapping[str, str]
    owned: Sequence[str] = ()


@dataclass(frozen=True)
class Window:
    """Turns to be judged, with the change from the seam to the end of each of them."""

    task: Task
    seam: Seam
    turns: Sequence[Turn]
    changes: Sequence[Change]

    @property
    def change(self) -> Change:
        """The net change over the whole window."""
        return self.changes[-1] if self.changes else Change(self.seam.files, self.seam.files)

    def facts(self, *kinds: str) -> list[Fact]:
        return [f for f in self.task.facts if f.id in self.seam.facts and f.kind in kinds]

    def since(self, broken: Callable[[Change], bool]) -> int:
        """Number of the turn since which something is broken at every turn's end."""
        number = self.turns[-1].number
        for turn, change in zip(reversed(self.turns), reversed(self.changes), strict=True):
            if not broken(change):
                break
            number = turn.number
        return number


def window(task: Task, seam: Seam, turns: Sequence[Turn], text: Callable[[str], str]) -> Window:
    """A window over consecutive turns after the seam. `text` gives the text of a blob by sha."""
    files = dict(seam.files)
    writes: set[str] = set()
    commands: list[str] = []
    changes = []
    for turn in turns:
        for path, sha in turn.files.items():
            writes.add(path)
            if sha is None:
                files.pop(path, None)
            else:
                files[path] = text(sha)
        commands.extend(turn.commands)
        changes.append(Change(seam.files, dict(files), frozenset(writes), tuple(commands)))
    return Window(task, seam, turns, changes)


def score_window(window: Window, rubric: Rubric, interventions: int) -> WindowResult:
    """The rubric over one window."""
    items = {item: JUDGES[item](window) for item in ITEMS}
    passed = {item: result["passed"] for item, result in items.items()}
    modes = {e["mode"] for result in items.values() for e in result["evidence"]}
    return {
        "continued": rubric.continued(passed),
        "continued_strict": rubric.continued_strict(passed),
        "items": items,
        "failure_modes": sorted(modes),
        "interventions": interventions,
        "turns": [turn.number for turn in window.turns],
    }


def _item(judged: bool, exercised: bool, evidence: list[Evidence]) -> ItemResult:
    passed = not evidence if judged else None
    return {"passed": passed, "exercised": exercised, "evidence": evidence if judged else []}


def broken(fact: Fact, change: Change) -> bool:
    """The change gave occasion to break the fact, and broke it."""
    return holds(fact.check.when, change) and not holds(fact.check.then, change)


def _judge_facts(window: Window, mode: Callable[[Fact, str], str], *kinds: str) -> ItemResult:
    facts = window.facts(*kinds)
    evidence: list[Evidence] = []
    for fact in facts:
        if window.turns and broken(fact, window.change):
            hits = evaluate(fact.check.then, window.change)[1]
            hits = hits or evaluate(fact.check.when, window.change)[1]
            turn = window.since(lambda change, fact=fact: broken(fact, change))
            said = " ".join([*hits, *(t.say for t in window.turns if t.number == turn)])
            evidence.append(
                {
                    "turn": turn,
                    "where": (hits or [""])[0],
                    "what": fact.says,
                    "fact": fact.id,
                    "mode": mode(fact, said),
                }
            )
    exercised = any(holds(fact.check.when, window.change) for fact in facts)
    return _item(bool(facts), exercised, evidence)


def _rule_mode(fact: Fact, said: str) -> str:
    if fact.supersedes:
        return "acted_on_superseded"
    if LATER.search(said):
        return "half_remembered"
    if RECALL.search(said):
        return "false_recall"
    return "ghost_dependency" if fact.loss == "removed_api" else "constraint_lost"


def _constraints(window: Window) -> ItemResult:
    return _judge_facts(window, _rule_mode, "constraint")


def _naming(window: Window) -> ItemResult:
    return _judge_facts(window, lambda fact, said: "naming_drift", "naming")


def _context(window: Window) -> ItemResult:
    def mode(fact: Fact, said: str) -> str:
        return "plan_reversed" if fact.kind == "decision" else "environment_lost"

    return _judge_facts(window, mode, "environment", "decision")


def _file_paths(window: Window) -> ItemResult:
    judged = bool(window.facts("path"))
    result = _judge_facts(window, lambda fact, said: "wrong_file", "path")
    evidence = result["evidence"]
    told = {item["where"].split(":")[0] for item in evidence}
    for turn in window.turns:
        for path in turn.files:
            if path not in told and (why := wrong_place(window.task, window.seam, path)):
                told.add(path)
                evidence.append(
                    {
                        "turn": turn.number,
                        "where": path,
                        "what": why,
                        "fact": None,
                        "mode": "wrong_file",
                    }
                )
    return _item(judged, bool(window.change.writes), evidence)


def wrong_place(task: Task, seam: Seam, path: str) -> str | None:
    """Why a file must not be written, None where it may."""
    if glob_match(path, [*IGNORED, *seam.owned]):
        return None
    if glob_match(path, task.files.read_only):
        return "a read-only file was written"
    if path in task.files.decoys.values():
        return "a look-alike of the file that was meant was written"
    if not glob_match(path, task.files.editable):
        return "a file outside the task's editable files was written"
    targets = {file for subgoal in task.subgoals for file in subgoal.files}
    same_name = {PurePosixPath(target).name for target in targets} & {PurePosixPath(path).name}
    if path not in seam.files and path not in targets and same_name:
        return "a second copy of a file of the task was made in another place"
    return None


def _subgoals(window: Window) -> ItemResult:
    task, seam = window.task, window.seam
    evidence = [*_undone(window), *_repeated(window)]
    still_open = [s for s in map(task.subgoal, seam.open) if not holds(s.done_when, window.change)]
    last = window.turns[-1].number if window.turns else 0
    if not any(engaged(task, task.subgoal(name), window.turns) for name in seam.open):
        what = "no open sub-goal was engaged"
        evidence.append(_evidence(last, seam.open[0] if seam.open else "", what, "stalled"))
    finished = [turn for turn in window.turns if claims_finished(turn)]
    if finished and still_open:
        what = f"claimed to be finished while open: {still_open[0].says}"
        evidence.append(_evidence(finished[0].number, still_open[0].id, what, "false_completion"))
    return _item(bool(seam.done or seam.open), bool(window.turns), evidence)


def _evidence(turn: int, subgoal: str, what: str, mode: str, where: str = "") -> Evidence:
    return {"turn": turn, "where": where, "what": what, "fact": subgoal, "mode": mode}


def _undone(window: Window) -> Iterator[Evidence]:
    for subgoal in map(window.task.subgoal, window.seam.done):
        if window.turns and not holds(subgoal.done_when, window.change):
            turn = window.since(lambda c, s=subgoal: not holds(s.done_when, c))
            where = ", ".join(subgoal.files)
            yield _evidence(turn, subgoal.id, f"undone: {subgoal.says}", "undone_work", where)


def _repeated(window: Window) -> Iterator[Evidence]:
    at_seam = Change(window.seam.files, window.seam.files)
    for subgoal in map(window.task.subgoal, window.seam.done):
        if not subgoal.redo or not window.turns or holds(subgoal.redo.seen_when, at_seam):
            continue
        seen = subgoal.redo.seen_when
        ok, hits = evaluate(seen, window.change)
        if ok:
            turn = window.since(lambda change, seen=seen: holds(seen, change))
            what = f"done a second time: {subgoal.says}"
            yield _evidence(turn, subgoal.id, what, "repeated_step", (hits or [""])[0])


def engaged(task: Task, subgoal: Subgoal, turns: Sequence[Turn]) -> bool:
    """Its file, or that file's look-alike, was read, changed, or named in a command."""
    decoys = [task.files.decoys[path] for path in subgoal.files if path in task.files.decoys]
    for path in [*subgoal.files, *decoys]:
        for turn in turns:
            read = any(
                call.tool == "read_file" and workspace_path(call.args.get("path", "")) == path
                for call in turn.calls
            )
            if read or path in turn.files or any(path in command for command in turn.commands):
                return True
    return False


def claims_finished(turn: Turn) -> bool:
    """The finish tool, or a message without calls that says all is done and asks nothing.

    Stopping with an honest word on what is open is no such claim.
    """
    if not turn.calls:
        return bool(FINISHED.search(turn.say)) and not QUESTION.search(turn.say)
    closing = [c.args.get("message", "") for c in turn.calls if c.tool == "finish" and c.ok]
    return any(FINISHED.search(text) or not OPEN_MARKS.search(text) for text in closing)


def questions(turn: Turn) -> list[str]:
    """What a turn asks of the user: by the tool, or by a message without calls that asks.

    Of a longer text only the sentences that ask count; the rest may well repeat what is known.
    """
    asked = [call.args.get("question", "") for call in turn.calls if call.tool == "ask_user"]
    if not turn.calls and QUESTION.search(turn.say):
        asked.append(turn.say)
    found = []
    for text in asked:
        sentences = [unit for unit in units(text) if QUESTION.search(unit)]
        found.append(" ".join(sentences) or text)
    return found


def _no_reask(window: Window) -> ItemResult:
    task, seam = window.task, window.seam
    known = {fact.id: fact.asks for fact in task.facts if fact.id in seam.facts}
    known["request"] = task.request.asks
    evidence: list[Evidence] = []
    asked = [(turn.number, text) for turn in window.turns for text in questions(turn)]
    for number, question in asked:
        if any(item.asks.matches(question) for item in task.open_questions):
            continue
        about = [name for name, asks in known.items() if any(a.matches(question) for a in asks)]
        if about:
            what = "asked for what was established"
            evidence.append(_evidence(number, about[0], what, "reask", question[:200]))
    return _item(bool(known), bool(asked), evidence)


JUDGES: Mapping[str, Callable[[Window], ItemResult]] = {
    "constraints": _constraints,
    "file_paths": _file_paths,
    "subgoals": _subgoals,
    "naming": _naming,
    "no_reask": _no_reask,
    "context": _context,
}
