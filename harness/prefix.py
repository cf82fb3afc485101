"""Everything up to the seam: work until the band is reached, freeze it once, for all arms."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness import tokens
from harness.agent import SYSTEM_PROMPT, Agent
from harness.checks import Change, holds
from harness.errors import InvalidTrial
from harness.scorer import Seam, broken, wrong_place
from harness.store import RunFolder, write_atomic
from harness.task_model import Remark, Task
from harness.tasks import LoadedTask
from harness.text import digest
from harness.transcript import Event, read_events
from harness.types import BANDS


@dataclass(frozen=True)
class SeamRule:
    """When the history is cut. `at`: band name, or a number of tokens or turns.

    offset: turns to go on inside a band, so that seams fall between, within and after steps.
    """

    kind: str
    at: str | int
    offset: int = 0

    @property
    def name(self) -> str:
        """The band, or kind and number; the record's `timing`."""
        return str(self.at) if self.kind == "progress" else f"{self.kind}_{self.at}"

    def inside(self, share: float, view_tokens: int, turn: int) -> bool:
        """Whether a turn boundary satisfies the rule."""
        if self.kind == "progress":
            low, high = BANDS[str(self.at)]
            return low <= share < high
        return (view_tokens if self.kind == "tokens" else turn) >= int(self.at)


@dataclass(frozen=True)
class Frozen:
    """A prefix at its seam: what seam.json holds, its log, and the snapshot of the workspace."""

    seam: dict[str, Any]
    events: list[Event]
    tar: bytes

    @property
    def hash(self) -> str:
        return self.seam["prefix_hash"]


@dataclass
class Progress:
    """What has been done and said so far in a prefix, kept up to date at every turn boundary."""

    loaded: LoadedTask
    texts: dict[str, str] = field(default_factory=dict)
    done_turn: dict[str, int] = field(default_factory=dict)
    stated_turn: dict[str, int] = field(default_factory=dict)
    delivered: set[str] = field(default_factory=set)
    texts_when_stated: dict[str, dict[str, str]] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    commands_when_stated: dict[str, int] = field(default_factory=dict)
    slip: str | None = None

    @property
    def task(self) -> Task:
        return self.loaded.task

    @property
    def share(self) -> float:
        return len(self.done_turn) / len(self.task.subgoals)

    @property
    def facts(self) -> list[str]:
        """Established facts that are in force, in the fixture's order."""
        replaced = {f.supersedes for f in self.task.facts if f.id in self.stated_turn}
        known = [f.id for f in self.task.facts if f.id in self.stated_turn]
        return [name for name in known if name not in replaced]

    def state(self, place: str, turn: int) -> None:
        """Note the facts that a delivered message states."""
        for fact in self.task.facts:
            if fact.stated_in == place and fact.id not in self.stated_turn:
                self.stated_turn[fact.id] = turn
                self.texts_when_stated[fact.id] = dict(self.texts)
                self.commands_when_stated[fact.id] = len(self.commands)

    def update(self, agent: Agent, commands: Sequence[str]) -> None:
        """After a turn: new file texts, finished sub-goals, facts stated by a detour, slips."""
        self.commands.extend(commands)
        event = next(e for e in reversed(agent.transcript.events) if e["type"] == "turn")
        for path, sha in event["files"].items():
            if sha is None:
                self.texts.pop(path, None)
            else:
                self.texts[path] = agent.blobs.text(sha)
        change = Change(self.loaded.texts, self.texts)
        for subgoal in self.task.subgoals:
            finished = holds(subgoal.done_when, change)
            if finished and subgoal.id not in self.done_turn:
                self.done_turn[subgoal.id] = agent.turn
            elif not finished:
                self.done_turn.pop(subgoal.id, None)
        said = agent.transcript.messages[event["reply"]].get("content")
        for detour in self.task.detours:
            if said == detour.say:
                self.state(f"detour:{detour.after}", agent.turn)
        self._look_for_slips(event["files"])

    def _look_for_slips(self, written: Mapping[str, str | None]) -> None:
        """A prefix that itself breaks a rule cannot show what compaction did."""
        seam = Seam(self.facts, [], [], self.loaded.texts)
        for path in written:
            if why := wrong_place(self.task, seam, path):
                self.slip = f"{path}: {why}"
        for name in self.facts:
            before = self.texts_when_stated[name]
            writes = frozenset(p for p in self.texts if self.texts[p] != before.get(p))
            commands = self.commands[self.commands_when_stated[name] :]
            if broken(self.task.fact(name), Change(before, self.texts, writes, commands)):
                self.slip = f"{name} is broken before the seam"

    def due(self, turn: int) -> list[Remark]:
        """Remarks to be given now, in the fixture's order."""
        return [
            remark
            for remark in self.task.remarks
            if remark.id not in self.delivered
            and (remark.after in self.done_turn if remark.after else turn >= (remark.turn or 0))
        ]


async def boundaries(agent: Agent, loaded: LoadedTask, max_turns: int) -> AsyncIterator[Progress]:
    """Work on a task from its beginning, stopping at every turn boundary.

    What is due at a boundary has been said when it is yielded. Ends when the agent says that it is
    finished, or after `max_turns`.
    """
    progress = Progress(loaded, texts=dict(loaded.texts))
    agent.transcript.add({"role": "system", "content": SYSTEM_PROMPT}, 0, "system")
    agent.transcript.add({"role": "user", "content": loaded.task.request.text}, 1, "request")
    progress.state("request", 0)
    while True:
        deliver(agent, progress)
        yield progress
        if agent.turn >= max_turns:
            return
        turn = await agent.take_turn()
        progress.update(agent, turn.commands)
        if turn.finished:
            return


async def run_prefix(
    agent: Agent, loaded: LoadedTask, rule: SeamRule, *, max_turns: int, owned: list[str]
) -> Frozen:
    """Work until the seam and freeze. Raises InvalidTrial where the prefix cannot be used."""
    candidate: Frozen | None = None
    inside = 0
    async with aclosing(boundaries(agent, loaded, max_turns)) as steps:
        async for progress in steps:
            view_tokens = tokens.count_view(agent.transcript.view)
            if rule.inside(progress.share, view_tokens, agent.turn):
                candidate = freeze(agent, progress, rule.name, inside, owned)
                if inside == rule.offset:
                    break
                inside += 1
            elif candidate:
                break  # the band was left before the offset; the last point inside counts
    if candidate is None:
        raise InvalidTrial("seam_not_reached")
    require_usable(candidate.seam, loaded.task)
    return candidate


def deliver(agent: Agent, progress: Progress) -> None:
    """Give the remarks that are due, before the next turn."""
    for remark in progress.due(agent.turn):
        message = {"role": "user", "content": remark.text}
        agent.transcript.add(message, agent.turn + 1, f"remark:{remark.id}")
        progress.delivered.add(remark.id)
        progress.state(remark.id, agent.turn)


def freeze(agent: Agent, progress: Progress, timing: str, offset: int, owned: list[str]) -> Frozen:
    """The prefix as it stands at this turn boundary."""
    task = progress.task
    view = agent.transcript.view
    manifest = agent.workspace.manifest()
    done = [s.id for s in task.subgoals if s.id in progress.done_turn]
    seam = {
        "prefix_hash": digest([progress.loaded.hash, view, manifest]),
        "task": task.id,
        "task_hash": progress.loaded.hash,
        "timing": timing,
        "seam": {
            "index": 1,
            "turn": agent.turn,
            "offset": offset,
            "done": done,
            "open": [s.id for s in task.subgoals if s.id not in progress.done_turn],
        },
        "facts": progress.facts,
        "stated_turn": {**progress.stated_turn, **progress.done_turn},
        "delivered": sorted(progress.delivered),
        "manifest": manifest,
        "owned": owned,
        "slip": progress.slip,
        "model": agent.answered_by,
        "model_fingerprint": agent.fingerprint,
        "usage": asdict(agent.usage),
        "seconds": dict(agent.clock.seconds),
        "view_tokens": tokens.count_view(view),
        "malformed": agent.malformed,
    }
    return Frozen(seam, list(agent.transcript.events), agent.workspace.freeze())


def require_usable(seam: dict[str, Any], task: Task) -> None:
    """Raises InvalidTrial where a prefix could not show what compaction does."""
    if seam["slip"]:
        raise InvalidTrial(f"prefix_slip: {seam['slip']}")
    if not seam["seam"]["done"] or not seam["seam"]["open"]:
        raise InvalidTrial("no_progress" if not seam["seam"]["done"] else "nothing_open")
    if not any(task.fact(name).kind == "constraint" for name in seam["facts"]):
        raise InvalidTrial("no_established_constraint")


def save_prefix(run: RunFolder, frozen: Frozen, key: str) -> None:
    """Store a prefix once; seam.json is written last, so that a half-written one does not count."""
    folder = run.prefix(frozen.hash)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(event, ensure_ascii=False) + "\n" for event in frozen.events]
    write_atomic(folder / "events.jsonl", "".join(lines).encode("utf-8"))
    write_atomic(folder / "workspace.tar.gz", frozen.tar)
    text = json.dumps({"key": key, **frozen.seam}, ensure_ascii=False, indent=1)
    write_atomic(folder / "seam.json", text.encode("utf-8"))


def load_prefix(folder: Path) -> Frozen:
    """Read a stored prefix."""
    seam = json.loads((folder / "seam.json").read_text(encoding="utf-8"))
    tar = (folder / "workspace.tar.gz").read_bytes()
    return Frozen(seam, read_events(folder / "events.jsonl"), tar)


def stored_prefixes(run: RunFolder) -> dict[str, Path]:
    """Key of the plan -> folder, for every complete prefix of a run."""
    found = {}
    for path in sorted((run.root / "prefixes").glob("*/seam.json")):
        found[json.loads(path.read_text(encoding="utf-8"))["key"]] = path.parent
    return found
