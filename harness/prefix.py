"""Everything up to the seam: work until the band is reached, freeze it once, for all arms."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness import tokens
from harness.agent import SYSTEM_PROMPT, Agent
from harness.errors import InvalidTrial
from harness.store import RunFolder, write_atomic
from harness.task_model import Task
from harness.tasks import LoadedTask
from harness.text import carried, digest
from harness.tracking import Progress, replay
from harness.transcript import Event, read_events
from harness.types import BANDS, Message, Session, Usage

SESSION = "session"
"""Folder of a prefix's with the agent's own files."""


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

    def inside(self, share: float, view: Sequence[Message], turn: int) -> bool:
        """Whether a turn boundary satisfies the rule."""
        if self.kind == "progress":
            low, high = BANDS[str(self.at)]
            return low <= share < high
        return (tokens.count_view(view) if self.kind == "tokens" else turn) >= int(self.at)


@dataclass(frozen=True)
class Frozen:
    """A prefix at its seam: what seam.json holds, its log, and the snapshot of the workspace.

    session: the agent's own files, where it keeps its history itself.
    """

    seam: dict[str, Any]
    events: list[Event]
    tar: bytes
    session: Session = ()

    @property
    def hash(self) -> str:
        return self.seam["prefix_hash"]


async def boundaries(
    agent: Agent, loaded: LoadedTask, max_turns: int, instructions: str = ""
) -> AsyncIterator[Progress]:
    """Work on a task from its beginning, stopping at every turn boundary.

    instructions: what a strategy adds to the system prompt. What is due at a boundary has been
    said when it is yielded. Ends when the agent says that it is finished, or after `max_turns`.
    """
    owned = agent.strategy.owned if agent.strategy else ()
    progress = Progress(loaded, agent.blobs.text, owned, texts=dict(loaded.texts))
    system = system_prompt(instructions, agent.prompt)
    agent.transcript.add({"role": "system", "content": system}, 0, "system")
    agent.transcript.add({"role": "user", "content": loaded.task.request.text}, 1, "request")
    progress.state("request", 0)
    while True:
        deliver(agent, progress)
        yield progress
        if agent.turn >= max_turns:
            return
        turn = await agent.take_turn()
        progress.update(turn)
        if turn.finished:
            return


async def run_prefix(
    agent: Agent, loaded: LoadedTask, rule: SeamRule, *, max_turns: int, instructions: str = ""
) -> Frozen:
    """Work until the seam and freeze. Raises InvalidTrial where the prefix cannot be used."""
    candidate: Frozen | None = None
    inside = 0
    async with aclosing(boundaries(agent, loaded, max_turns, instructions)) as steps:
        async for progress in steps:
            if rule.inside(progress.share, agent.transcript.view, agent.turn):
                candidate = freeze(agent, progress, rule.name, inside)
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
        progress.deliver(remark, agent.turn)


def system_prompt(instructions: str, prompt: str = SYSTEM_PROMPT) -> str:
    """The agent's prompt, and a strategy's instructions under it as carried text."""
    if not instructions:
        return prompt
    return f"{prompt}\n\n{carried('instructions', instructions)}"


def freeze(agent: Agent, progress: Progress, timing: str, offset: int) -> Frozen:
    """The prefix as it stands at this turn boundary."""
    seam = _seam(agent, progress, timing, offset)
    events = list(agent.transcript.events)
    return Frozen(seam, events, agent.workspace.freeze(), agent.session())


def freeze_again(agent: Agent, loaded: LoadedTask, frozen: Frozen, trial_id: str) -> Frozen:
    """The end of a trial as the prefix of its next seam. Its tokens are in the trial's record."""
    events = [*frozen.events, *agent.transcript.events]
    progress = replay(loaded, events, agent.blobs.text, frozen.seam["owned"])
    seam = _seam(agent, progress, frozen.seam["timing"], 0)
    seam["seam"]["index"] = frozen.seam["seam"]["index"] + 1
    # Of this trial alone, even where another arm has come to the same bytes.
    seam["prefix_hash"] = digest([seam["prefix_hash"], trial_id])
    seam["usage"], seam["seconds"] = asdict(Usage()), {}
    return Frozen(seam, events, agent.workspace.freeze(), agent.session())


def _seam(agent: Agent, progress: Progress, timing: str, offset: int) -> dict[str, Any]:
    task = progress.task
    view = agent.transcript.view
    manifest = agent.workspace.manifest()
    done = [s.id for s in task.subgoals if s.id in progress.done_turn]
    return {
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
        "owned": list(progress.owned),
        "slip": progress.slip,
        "model": agent.answered_by,
        "model_fingerprint": agent.fingerprint,
        "usage": asdict(agent.usage),
        "seconds": dict(agent.clock.seconds),
        "view_tokens": tokens.count_view(view),
        "malformed": agent.malformed,
    }


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
    for path, content in frozen.session:
        target = folder / SESSION / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, content)
    text = json.dumps({"key": key, **frozen.seam}, ensure_ascii=False, indent=1)
    write_atomic(folder / "seam.json", text.encode("utf-8"))


def load_prefix(folder: Path, *, snapshot: bool = True) -> Frozen:
    """Read a stored prefix; without its snapshot to look at, with it to go on from."""
    seam = json.loads((folder / "seam.json").read_text(encoding="utf-8"))
    tar = (folder / "workspace.tar.gz").read_bytes() if snapshot else b""
    kept = sorted(p for p in (folder / SESSION).rglob("*") if p.is_file())
    session = tuple((str(p.relative_to(folder / SESSION)), p.read_bytes()) for p in kept)
    return Frozen(seam, read_events(folder / "events.jsonl"), tar, session)


def stored_prefixes(run: RunFolder) -> dict[str, Path]:
    """Key of the plan -> folder, for every complete prefix of a run."""
    found = {}
    for path in sorted((run.root / "prefixes").glob("*/seam.json")):
        found[json.loads(path.read_text(encoding="utf-8"))["key"]] = path.parent
    return found
