"""Admission rules that need no agent: counts, edits, redo, evidence, slips, solution, alternatives.

Each rule yields problems, one line each; a fixture without problems is admitted. `states[i]` is
the file texts after the first i sub-goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.admission.walk import DoesNotApply, Walk, apply, apply_loosely, failed_items
from harness.checks import Change, holds
from harness.controls import PLACEBO
from harness.rubric import Rubric
from harness.scorer import Seam
from harness.task_model import Edit, Slip, Subgoal, Task
from harness.tasks import LoadedTask
from harness.text import glob_match, matches_all, units
from harness.user import NEUTRAL

Problems = Iterator[str]

ITEM_OF_KIND = {
    "constraint": "constraints",
    "path": "file_paths",
    "naming": "naming",
    "environment": "context",
    "decision": "context",
}


@dataclass(frozen=True)
class Case:
    """A fixture under examination. `facts_at[i]`: facts in force when i sub-goals are done."""

    loaded: LoadedTask
    rubric: Rubric
    states: Sequence[dict[str, str]]
    facts_at: Sequence[Sequence[str]]

    @property
    def task(self) -> Task:
        return self.loaded.task

    def seam(self, done: int) -> Seam:
        """The seam right after the first `done` sub-goals."""
        ids = [subgoal.id for subgoal in self.task.subgoals]
        return Seam(self.facts_at[done], ids[:done], ids[done:], self.states[done])


def counts(task: Task, files: Sequence[str]) -> Problems:
    """Sizes that a task must have, so that a seam costs something."""
    if not 10 <= len(task.subgoals) <= 14:
        yield f"subgoals: expected 10 to 14, found {len(task.subgoals)}"
    changed = {edit.path for s in task.subgoals for edit in s.edits if edit.path}
    if len(changed) < 3:
        yield f"subgoals: at least 3 files must change, found {len(changed)}"
    kinds = [fact.kind for fact in task.facts]
    if kinds.count("constraint") < 2:
        yield "facts: at least 2 constraints"
    casual = [f for f in task.facts if f.kind == "constraint" and f.stated_in != "request"]
    if not casual:
        yield "facts: at least one constraint said once, casually (stated_in a remark)"
    if "naming" not in kinds:
        yield "facts: at least one naming fact"
    if "path" not in kinds or not task.files.decoys:
        yield "facts: at least one path fact, and files.decoys"
    if not {"environment", "decision"} & set(kinds):
        yield "facts: at least one environment or decision fact"
    if not any(subgoal.redo for subgoal in task.subgoals):
        yield "subgoals: at least one with redo"
    created = {e.path for s in task.subgoals for e in s.edits if e.content is not None}
    for target, decoy in task.files.decoys.items():
        for path in (target, decoy):
            if path not in files and path not in created:
                yield f"files.decoys: no file {path}"


def basic(task: Task, start: dict[str, str]) -> Problems:
    """What can be told without a solution: nothing is done yet, and the files are there."""
    for subgoal in task.subgoals:
        if holds(subgoal.done_when, Change(start, start)):
            yield f"{subgoal.id}: done_when is true from the start"
        if not matches_all(subgoal.evidence, subgoal.says):
            yield f"{subgoal.id}: {subgoal.says!r} does not match its own evidence"
        for path in subgoal.files:
            allowed = glob_match(path, task.files.editable)
            if not allowed or glob_match(path, task.files.read_only):
                yield f"{subgoal.id}: files: {path} is not in files.editable, or is read-only"


def missing(task: Task) -> Problems:
    """What a basic fixture lacks to be a full one."""
    for key in ("names", "edits"):
        without = [subgoal.id for subgoal in task.subgoals if not getattr(subgoal, key)]
        if without:
            yield f"{key} of {', '.join(without)}"
    if task.checks is None:
        yield "checks"
    for key in ("slips", "alternatives"):
        if not getattr(task, key):
            yield key


def edits(task: Task, start: dict[str, str]) -> Problems:
    """Edits apply in order, and each sub-goal's done_when flips exactly at its own."""
    texts = start
    for subgoal in task.subgoals:
        if holds(subgoal.done_when, Change(start, start)):
            yield f"{subgoal.id}: done_when is true from the start"
    for number, subgoal in enumerate(task.subgoals):
        try:
            texts = apply(subgoal.edits, texts)
        except DoesNotApply as error:
            yield f"{subgoal.id}: edits: {error}"
            return
        for other in task.subgoals:
            finished = holds(other.done_when, Change(start, texts))
            wanted = other in task.subgoals[: number + 1]
            if finished != wanted:
                yield f"{other.id}: done_when is {finished} after {subgoal.id}"
        for edit in subgoal.edits:
            if edit.path and not glob_match(edit.path, task.files.editable):
                yield f"{subgoal.id}: edits: {edit.path} is outside files.editable"


def names(task: Task) -> Problems:
    """Each sub-goal is spoken of in words that match its own evidence and no other's."""
    for subgoal in task.subgoals:
        if len(subgoal.names) < 2:
            yield f"{subgoal.id}: names: at least two phrases"
        for phrase in (subgoal.says, *subgoal.names):
            if not matches_all(subgoal.evidence, phrase):
                yield f"{subgoal.id}: {phrase!r} does not match its own evidence"
            others = [s.id for s in task.subgoals if s is not subgoal]
            others = [o for o in others if matches_all(task.subgoal(o).evidence, phrase)]
            others += [f.id for f in task.facts if matches_all(f.evidence, phrase)]
            if others:
                yield f"{subgoal.id}: {phrase!r} matches the evidence of {', '.join(others)}"
    for fact in task.facts:
        about = [s.id for s in task.subgoals if matches_all(s.evidence, fact.says)]
        if about and fact.kind != "path":
            yield f"{fact.id}: says matches the evidence of {', '.join(about)}"


def evidence(task: Task, texts: dict[str, str]) -> Problems:
    """A fact's evidence matches what it says and its statement, and nothing in the codebase."""
    places = {"request": task.request.text, **{r.id: r.text for r in task.remarks}}
    places.update({f"detour:{detour.after}": detour.say for detour in task.detours})
    bank = [*PLACEBO["en"], *PLACEBO["zh"], *NEUTRAL.values()]
    neutral = {unit for text in bank for unit in units(text)}
    code = {unit: path for path, text in texts.items() for unit in units(text)}
    if not any(matches_all(task.request.evidence, unit) for unit in units(task.request.text)):
        split = " | ".join(units(task.request.text))[:200]
        yield f"request: the evidence is in no one sentence of its text: {split}"
    for fact in task.facts:
        if not any(matches_all(fact.evidence, unit) for unit in units(fact.says)):
            yield f"{fact.id}: evidence does not match what it says"
        for place, text in places.items():
            found = any(matches_all(fact.evidence, unit) for unit in units(text))
            if found != (place == fact.stated_in):
                what = "matches" if found else "does not match"
                yield f"{fact.id}: evidence {what} {place}, stated in {fact.stated_in}"
        for unit in neutral:
            if matches_all(fact.evidence, unit):
                yield f"{fact.id}: evidence matches the neutral text {unit!r}"
        for unit, path in code.items():
            if matches_all(fact.evidence, unit):
                yield f"{fact.id}: evidence matches {path}: {unit[:80]!r}"
    asks = [(fact.id, ask) for fact in task.facts for ask in fact.asks]
    asks += [("request", ask) for ask in task.request.asks]
    asks += [("open_questions", question.asks) for question in task.open_questions]
    for name, ask in asks:
        if not ask.matches(ask.sample):
            yield f"{name}: asks: the sample {ask.sample!r} does not match"


def redo(case: Case) -> Problems:
    """Doing a finished sub-goal again is possible, does harm, and is seen by its own check."""
    for number, subgoal in enumerate(case.task.subgoals):
        if subgoal.redo is None:
            continue
        again = subgoal.redo
        if any(edit.old is None for edit in again.edits):
            yield f"{subgoal.id}: redo.edits: expected {{path, old, new}} only"
            continue
        before, after = case.states[number], case.states[number + 1]
        if apply_loosely(again.edits, before)[1]:
            yield f"{subgoal.id}: redo.edits apply before the sub-goal is done"
        for texts in case.states:
            if holds(again.seen_when, Change(texts, texts)):
                yield f"{subgoal.id}: redo.seen_when is true without a repeat"
                break
        try:
            twice = apply(again.edits, after)
        except DoesNotApply as error:
            yield f"{subgoal.id}: redo.edits do not apply when it is done: {error}"
            continue
        worked_on = apply_loosely(subgoal.edits, twice)[0]
        if not holds(again.seen_when, Change(after, worked_on)):
            why = "" if worked_on == twice else ": its own edits still apply, take the lines around"
            yield f"{subgoal.id}: redo.seen_when is false after redo.edits and edits{why}"
            continue
        for done in range(number + 1, len(case.task.subgoals)):
            yield from _redo_in_window(case, subgoal, [*again.edits, *subgoal.edits], done)


def _redo_in_window(case: Case, subgoal: Subgoal, repeated: Sequence[Edit], done: int) -> Problems:
    following = case.task.subgoals[done]
    walk = Walk(case.task, case.states[done]).read(subgoal.files)
    walk.edit(repeated, loosely=True)
    try:
        walk.edit(following.edits)
        for later in case.task.subgoals[done + 1 :]:
            walk.texts = apply(later.edits, walk.texts)
    except DoesNotApply as error:
        yield f"{subgoal.id}: after its redo at {done} done, a later edit fails: {error}"
        return
    failed = failed_items(walk.judge(case.seam(done), case.rubric))
    if failed != ["subgoals"]:
        yield f"{subgoal.id}: redo at {done} done fails {failed or 'nothing'}, not subgoals alone"


def slips(case: Case) -> Problems:
    """Every needed fact that is unknown makes its own item fail, and no other."""
    task = case.task
    for number, subgoal in enumerate(task.subgoals):
        for need in subgoal.needs:
            slip = task.slip(subgoal.id, need)
            if slip is None:
                yield f"{subgoal.id}: no slip for its need {need}"
            elif need in case.facts_at[number]:
                yield from _slip_in_window(case, slip, number)
    for name in (need for subgoal in task.subgoals for need in subgoal.needs):
        if task.checks and name == task.checks.fact:
            yield f"checks.fact: {name} must not stand in needs"


def _slip_in_window(case: Case, slip: Slip, number: int) -> Problems:
    task, subgoal = case.task, case.task.subgoals[number]
    item = "no_reask" if slip.ask else ITEM_OF_KIND[task.fact(slip.fact).kind]
    walk = Walk(task, case.states[number]).read(subgoal.files)
    label = f"{subgoal.id}/{slip.fact}"
    try:
        if slip.ask:
            walk.call("ask_user", question=slip.ask).edit(subgoal.edits)
        elif slip.run:
            walk.call("run", command=slip.run)
        else:
            walk.edit(slip.edits or [])
        for position, later in enumerate(task.subgoals[number + 1 :]):
            texts = apply(later.edits, walk.texts)
            if position == 0:
                walk.edit(later.edits)
            walk.texts = texts
    except DoesNotApply as error:
        yield f"{label}: the slip, or an edit after it, does not apply: {error}"
        return
    failed = failed_items(walk.judge(case.seam(number), case.rubric))
    if failed != [item]:
        yield f"{label}: the slip fails {failed or 'nothing'}, not {item} alone"


def solution(case: Case) -> Problems:
    """The solution passes over windows of one to four steps, from every boundary."""
    total = len(case.task.subgoals)
    for done in range(1, total):
        walk = Walk(case.task, case.states[done]).read(case.task.subgoals[done].files)
        for subgoal in case.task.subgoals[done : done + 4]:
            walk.edit(subgoal.edits)
            failed = failed_items(walk.judge(case.seam(done), case.rubric))
            if failed:
                yield f"from {done} done, {subgoal.id}: the solution fails {failed}"
                break


def alternatives(case: Case) -> Problems:
    """Other correct continuations pass at every turn boundary."""
    if not case.task.alternatives:
        yield "alternatives: at least one"
    ids = [subgoal.id for subgoal in case.task.subgoals]
    for alternative in case.task.alternatives:
        done = ids.index(alternative.after) + 1
        walk = Walk(case.task, case.states[done])
        for turn, made in enumerate(alternative.turns, 1):
            try:
                walk.edit(made)
            except DoesNotApply as error:
                yield f"{alternative.id}: turn {turn}: {error}"
                break
            failed = failed_items(walk.judge(case.seam(done), case.rubric))
            if failed:
                yield f"{alternative.id}: fails {failed} after turn {turn}"
                break
