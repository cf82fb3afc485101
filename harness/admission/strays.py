"""Strays: continuations that no slip anticipates, with the verdict of a careful person.

They are written by someone who has not read the checks (tests/strays/*.yaml). Agreement with the
scorer is reported as found. A file is a list of:

    - id, task, says          what is done, in words
      after: <sub-goal>       the seam: this sub-goal and all before it are done
      turns:                  each one of: read: [paths]; edits: [...]; run: command; ask: question;
                              say: message without a call; finish: message
      expect: {failed: [items]}   items of the rubric that a careful person says are failed
      why: ...                the person's reason
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from harness.admission.walk import DoesNotApply, Walk, apply, failed_items
from harness.errors import TaskError
from harness.rubric import Rubric
from harness.scorer import Seam
from harness.task_model import Edit, Task
from harness.tasks import LoadedTask
from harness.terminal import echo


@dataclass(frozen=True)
class Judged:
    """One stray: what the person said and what the scorer says, as sorted items."""

    id: str
    task: str
    expected: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return self.expected == self.found


def read_strays(folder: Path) -> list[dict[str, Any]]:
    """All strays of a folder, in order of file and place."""
    strays: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.yaml")):
        strays.extend(yaml.safe_load(path.read_text(encoding="utf-8")))
    return strays


def judge_stray(stray: Mapping[str, Any], loaded: LoadedTask, rubric: Rubric) -> Judged:
    """Score one stray. Raises TaskError where it cannot be carried out."""
    task = loaded.task
    ids = [subgoal.id for subgoal in task.subgoals]
    done = ids.index(stray["after"]) + 1
    texts = dict(loaded.texts)
    for subgoal in task.subgoals[:done]:
        texts = apply(subgoal.edits, texts)
    seam = Seam(facts_after(task, ids[:done]), ids[:done], ids[done:], texts)
    walk = Walk(task, texts)
    for number, turn in enumerate(stray["turns"], 1):
        try:
            _take(walk, turn)
        except DoesNotApply as error:
            raise TaskError(f"stray {stray['id']}: turn {number}: {error}") from None
    found = failed_items(walk.judge(seam, rubric))
    expected = tuple(sorted(stray["expect"]["failed"]))
    return Judged(stray["id"], task.id, expected, tuple(sorted(found)))


def _take(walk: Walk, turn: Mapping[str, Any]) -> None:
    kind, value = next(iter(turn.items()))
    if kind == "read":
        walk.read(value)
    elif kind == "edits":
        walk.edit([Edit(**edit) for edit in value])
    elif kind == "run":
        walk.call("run", command=value)
    elif kind == "ask":
        walk.call("ask_user", question=value)
    elif kind == "finish":
        walk.call("finish", message=value)
    elif kind == "say":
        walk.say(value)
    else:
        raise DoesNotApply(f"unknown kind of turn {kind!r}")


def facts_after(task: Task, done: Sequence[str]) -> list[str]:
    """Facts in force when these sub-goals are done, as the remarks' places tell."""
    said = {"request", *(f"detour:{name}" for name in done)}
    said |= {r.id for r in task.remarks if r.after in done or (r.after is None and done)}
    known = [fact.id for fact in task.facts if fact.stated_in in said]
    replaced = {task.fact(name).supersedes for name in known}
    return [name for name in known if name not in replaced]


def report_strays(folder: Path, tasks: Mapping[str, LoadedTask], rubric: Rubric) -> int:
    """Print agreement and every disagreement. Returns the number of disagreements."""
    judged = []
    for stray in read_strays(folder):
        if stray["task"] in tasks:
            judged.append(judge_stray(stray, tasks[stray["task"]], rubric))
        else:
            echo(f"stray {stray['id']}: its task {stray['task']} is not at hand")
    differing = [stray for stray in judged if not stray.agrees]
    for stray in differing:
        echo(
            f"stray {stray.id} ({stray.task}): a person says {list(stray.expected) or 'nothing'} "
            f"failed, the scorer {list(stray.found) or 'nothing'}"
        )
    echo(f"strays: {len(judged) - len(differing)} of {len(judged)} agree")
    return len(differing)
