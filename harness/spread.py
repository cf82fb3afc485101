"""What a corpus covers: counts by family, language, kind of loss; sentences said twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from harness.task_model import Loss, Task


def losses(task: Task) -> set[str]:
    """Kinds of loss that a task's facts cover; a redo sub-goal is work already done."""
    found = {fact.loss for fact in task.facts if fact.loss}
    if any(fact.supersedes for fact in task.facts):
        found.add("superseded")
    if any(subgoal.redo for subgoal in task.subgoals):
        found.add("work_done")
    return found


def tasks_by_loss(tasks: Sequence[Task]) -> dict[str, int]:
    """Number of tasks per kind of loss, every kind named."""
    found = Counter(loss for task in tasks for loss in losses(task))
    return {loss: found[loss] for loss in get_args(Loss)}


def repeated_sentences(tasks: Sequence[Task]) -> list[str]:
    """Rule sentences that stand in more than one task."""
    owners: dict[str, set[str]] = {}
    for task in tasks:
        for fact in task.facts:
            owners.setdefault(" ".join(fact.says.lower().split()), set()).add(task.id)
    return [f"{says!r} in {', '.join(sorted(ids))}" for says, ids in owners.items() if len(ids) > 1]


def summary(tasks: Sequence[Task]) -> Iterator[str]:
    """Lines of `seambench validate --summary`."""
    yield f"{len(tasks)} tasks of {len({task.codebase for task in tasks})} codebases"
    for title, values in (
        ("family", [task.family.value for task in tasks]),
        ("split", [task.split for task in tasks]),
        ("language", [task.language for task in tasks]),
        ("source", ["library" if task.source else "own code" for task in tasks]),
        ("facts by kind", [fact.kind for task in tasks for fact in task.facts]),
    ):
        told = ", ".join(f"{name} {n}" for name, n in sorted(Counter(values).items()))
        yield f"{title}: {told}"
    told = ", ".join(f"{name} {n}" for name, n in tasks_by_loss(tasks).items())
    yield f"tasks by kind of loss: {told}"
    replaced = sum(any(fact.supersedes for fact in task.facts) for task in tasks)
    yield f"tasks with a rule that is replaced midway: {replaced}"
    counts = [len(task.subgoals) for task in tasks]
    slips = sum(
        bool(task.slip(s.id, need)) for task in tasks for s in task.subgoals for need in s.needs
    )
    alternatives = sum(len(task.alternatives) for task in tasks)
    yield f"sub-goals {sum(counts)}, slips {slips}, alternatives {alternatives}"
    yield from (f"said twice: {told}" for told in repeated_sentences(tasks))
