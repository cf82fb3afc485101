"""What the reference worker believes, from the text of its view and nothing else.

Skill (how each sub-goal is done) comes from the fixture; state (what is to be done, what is done,
which rules hold) only from the view. Unit: one sentence or list item, see text.units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from harness.checks import Change, holds
from harness.evidence import plan_units, speech, tells_done
from harness.task_model import Call, Edit, Subgoal, Task
from harness.text import CARRIED_OPEN, content_text, matches_all, units
from harness.tools import parse_calls
from harness.types import Message
from harness.worker.instructions import Orders, read_orders

GOAL = "(goal)"


@dataclass(frozen=True)
class Unit:
    """A unit of speech. `own`: assistant or carried text, which alone can tell what is done."""

    text: str
    own: bool


@dataclass(frozen=True)
class Act:
    """One tool call of the view with its result; `ok` is False for an error result."""

    tool: str
    args: dict[str, Any]
    ok: bool
    result: str
    turn: int


@dataclass
class View:
    """A request's messages, read once: units of speech, acts by turn, and what the turns said.

    orders: the instructions in it. compacted: what an earlier compaction carried opens it.
    """

    units: list[Unit] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    compacted: bool = False
    orders: Orders = field(default_factory=Orders)


def read_view(messages: Sequence[Message]) -> View:
    """View from chat messages. Tool output is no speech, but answers of the user and notes are."""
    view = View(orders=read_orders(messages))
    results = {m.get("tool_call_id"): content_text(m) for m in messages if m["role"] == "tool"}
    for message in messages:
        view.units.extend(_spoken(message["role"], content_text(message)))
        if message["role"] == "assistant":
            view.says.append(content_text(message))
            for act in _acts(message, results, len(view.says) - 1):
                view.acts.append(act)
                view.units.extend(_act_units(act, view.orders))
        elif message["role"] not in ("tool", "system"):
            view.compacted |= bool(CARRIED_OPEN.search(content_text(message)))
    return view


@lru_cache(maxsize=4096)  # every request tells the whole history again
def _spoken(role: str, text: str) -> tuple[Unit, ...]:
    said = speech({"role": role, "content": text})
    return tuple(Unit(unit, own) for unit, own in said)


def _acts(message: Message, results: dict[Any, str], turn: int) -> Iterator[Act]:
    for call in parse_calls(message):
        if call.error is None:  # one that could not be read was not carried out
            result = results.get(call.id, "")
            yield Act(call.name, call.args, not result.startswith("error:"), result, turn)


def _act_units(act: Act, orders: Orders) -> Iterator[Unit]:
    """What a call says: plan items and notes are the worker's own words, an answer the user's."""
    if act.ok and act.args.get("path" if act.tool == "read_file" else "command") in orders.notes:
        yield from (Unit(text, own=True) for text in units(act.result))
    elif act.tool == "update_plan":
        yield from (Unit(text, own=True) for text in plan_units(act.args["items"]))
    elif act.tool == "ask_user":
        yield from (Unit(text, own=False) for text in units(act.result))


@dataclass(frozen=True)
class Beliefs:
    """What the view tells about a task. Sets hold ids; `blocked` sub-goals failed to apply."""

    goal: bool
    facts: frozenset[str]
    mentioned: frozenset[str]
    paths: frozenset[str]
    done: frozenset[str]
    blocked: frozenset[str]
    read: frozenset[str]

    def open(self, task: Task) -> list[Subgoal]:
        """Sub-goals believed open, in the fixture's order; unmentioned ones do not exist."""
        closed = self.done | self.blocked
        return [s for s in task.subgoals if s.id in self.mentioned and s.id not in closed]

    def unknown(self, subgoal: Subgoal, task: Task) -> str | None:
        """The first unknown need of a sub-goal; a path fact counts only if the path is unknown."""
        for need in subgoal.needs:
            if need in self.facts:
                continue
            if task.fact(need).kind == "path" and subgoal.id in self.paths:
                continue
            return need
        return None


class Matcher:
    """Which sub-goals, facts and goal a unit of text speaks of, for one task. A pure memo."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.evidence = {thing.id: thing.evidence for thing in (*task.subgoals, *task.facts)}
        self.evidence[GOAL] = task.request.evidence
        self.ways = {subgoal.id: _ways(task, subgoal) for subgoal in task.subgoals}
        self.ids = lru_cache(maxsize=65536)(self._ids)
        self.done = lru_cache(maxsize=65536)(self._done)

    def _ids(self, unit: str) -> frozenset[str]:
        return frozenset(i for i, found in self.evidence.items() if matches_all(found, unit))

    def _done(self, unit: str) -> frozenset[str]:
        return frozenset(s.id for s in self.task.subgoals if tells_done(s.evidence, unit))

    def known_facts(self, seen: Set[str]) -> set[str]:
        """Facts among the ids seen; a superseded fact yields if its successor is there too."""
        known = {fact.id for fact in self.task.facts if fact.id in seen}
        return known - {f.supersedes for f in self.task.facts if f.id in known and f.supersedes}


def believe(matcher: Matcher, view: View) -> Beliefs:
    """Beliefs of the worker with a task's skill, given a view."""
    about: dict[str, list[Unit]] = {}
    for unit in view.units:
        for name in matcher.ids(unit.text):
            about.setdefault(name, []).append(unit)
    mentioned, paths, done, blocked = set(), set(), set(), set()
    for subgoal in matcher.task.subgoals:
        told = about.get(subgoal.id, [])
        edited = _own_edits(matcher.ways[subgoal.id], view.acts)
        if told or edited is not None:
            mentioned.add(subgoal.id)
        if edited is True or any(path in u.text for u in told for path in subgoal.files):
            paths.add(subgoal.id)
        told_done = any(u.own and subgoal.id in matcher.done(u.text) for u in told)
        if edited is True or told_done or _read_shows(subgoal, view.acts):
            done.add(subgoal.id)
        elif edited is False:
            blocked.add(subgoal.id)
    return Beliefs(
        goal=GOAL in about,
        facts=frozenset(matcher.known_facts(about.keys())),
        mentioned=frozenset(mentioned),
        paths=frozenset(paths),
        done=frozenset(done),
        blocked=frozenset(blocked),
        read=frozenset(a.args["path"] for a in view.acts if a.tool == "read_file"),
    )


def _ways(task: Task, subgoal: Subgoal) -> list[list[Call]]:
    """The calls by which the worker can have edited: its own, its redo's, and its slips'."""
    slips = [task.slip(subgoal.id, need) for need in subgoal.needs]
    ways = [subgoal.edits, subgoal.redo.edits if subgoal.redo else []]
    for slip in slips:
        ways.append((slip.edits or []) if slip else [])
        ways.append([Edit(run=slip.run)] if slip and slip.run else [])
    return [[edit.call() for edit in way] for way in ways if way]


def _own_edits(ways: Sequence[Sequence[Call]], acts: Sequence[Act]) -> bool | None:
    """True if one way is in the view and succeeded, False if it failed, None if there is none."""
    tried = None
    for calls in ways:
        found = [[a for a in acts if a.tool == c.tool and a.args == c.args] for c in calls]
        if all(found):
            if all(any(act.ok for act in same) for same in found):
                return True
            tried = False
    return tried


def _read_shows(subgoal: Subgoal, acts: Sequence[Act]) -> bool:
    """All its files were read in the view, and what was read shows the change made."""
    contents = {
        act.args["path"]: act.result
        for act in acts
        if act.tool == "read_file" and act.ok and act.args.get("path") in subgoal.files
    }
    if set(contents) != set(subgoal.files):
        return False
    return holds(subgoal.done_when, Change(before={}, after=contents))
