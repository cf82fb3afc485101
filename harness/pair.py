"""Two agents in one workspace: what becomes of the notes that each of them keeps."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from harness.agent import Agent
from harness.build import chosen_tasks, environment
from harness.cell import Environment
from harness.checks import Change, holds
from harness.config import load_config
from harness.errors import UserError
from harness.prefix import boundaries
from harness.store import RunFolder
from harness.strategies.protocol import Protocol
from harness.tasks import LoadedTask
from harness.text import nearest
from harness.transcript import Transcript, Turn, read_turns
from harness.user import ScriptedUser
from harness.workspace import Workspace

WAYS = ("shared", "own")
DECISIONS = "memory/decisions.md"
TAKES = {
    "en": "Another agent works in this folder at the same time. Your pieces, no others:",
    "zh": "另一个代理同时在这个目录里工作。你只做下面这些：",
}


@dataclass(frozen=True)
class Scenario:
    """What configs/scenario/two_agents.yaml holds."""

    task: str
    agents: Sequence[str]
    ways: Sequence[str]
    rounds: int


@dataclass
class Outcome:
    """What came of one way. notes: versions of a task file that an agent wrote; lost: of these,
    overwritten before their author wrote again; kept: agents whose last version is on disk;
    decisions: lines of the common file; rewritten: rounds in which older ones were changed or
    gone, or a line stood twice; done: finished pieces."""

    way: str
    notes: int = 0
    lost: int = 0
    kept: int = 0
    decisions: int = 0
    rewritten: int = 0
    done: int = 0
    pieces: int = 0


def read_scenario(path: Path) -> Scenario:
    """A scenario's file. Raises UserError (one line) naming the key that does not do."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UserError(f"{path}: cannot be read: {' '.join(str(error).split())}") from None
    keys = ("task", "agents", "ways", "rounds")
    if not isinstance(data, dict) or set(data) != set(keys):
        raise UserError(f"{path}: expected the keys {', '.join(keys)}")
    names, ways, rounds = data["agents"], data["ways"], data["rounds"]
    if not isinstance(names, list) or len(set(map(str, names))) != 2 or len(names) != 2:
        raise UserError(f"{path}: agents: expected two different names, found {names!r}")
    if not isinstance(ways, list) or not ways:
        raise UserError(f"{path}: ways: expected a list of {', '.join(WAYS)}, found {ways!r}")
    for way in ways:
        if way not in WAYS:
            raise UserError(f"{path}: ways: no {way!r}; nearest: {nearest(str(way), WAYS)}")
    if type(rounds) is not int or rounds < 1:
        raise UserError(f"{path}: rounds: expected a number of 1 or more, found {rounds!r}")
    return Scenario(str(data["task"]), [str(name) for name in names], ways, rounds)


async def play(
    scenario: Scenario, overrides: Sequence[str], folder: Path
) -> tuple[list[Outcome], bool]:
    """Every way of a scenario, in workspaces of their own below `folder`; whether simulated.

    overrides: as for a run, for a real model.
    """
    config, _ = load_config([f"tasks.only=[{scenario.task}]", *overrides])
    if config.agent.kind != "loop":
        raise UserError(
            f"scenario: only the built-in loop can be two agents, not agent={config.agent.kind}"
        )
    (whole,) = chosen_tasks(config, lambda told: None)
    parts = [_part(whole, number) for number in (0, 1)]
    run = RunFolder(folder / "store")
    async with environment(config, parts, run, lambda kind, told: None) as env:
        played = [
            await _play(scenario, way, whole, parts, env, folder / way) for way in scenario.ways
        ]
    return played, config.model.kind == "worker"


def _part(whole: LoadedTask, number: int) -> LoadedTask:
    """The task with every second of its pieces, which the request names; remarks come early, since
    the pieces that they follow may be the other agent's."""
    task = whole.task
    pieces = task.subgoals[number::2]
    told = "\n".join(f"- {piece.says}" for piece in pieces)
    request = f"{task.request.text}\n\n{TAKES[task.language]}\n{told}\n"
    remarks = [
        remark.model_copy(update={"after": None, "turn": turn})
        for turn, remark in enumerate(task.remarks, 1)
    ]
    changed = {
        "request": task.request.model_copy(update={"text": request}),
        "subgoals": pieces,
        "remarks": remarks,
    }
    return LoadedTask(task=task.model_copy(update=changed), files=whole.files, hidden={})


async def _play(
    scenario: Scenario,
    way: str,
    whole: LoadedTask,
    parts: Sequence[LoadedTask],
    env: Environment,
    root: Path,
) -> Outcome:
    memories = [Protocol(agent=name if way == "own" else "") for name in scenario.agents]
    setups = [memory.start() for memory in memories]
    laid = {path: text.encode() for setup in setups for path, text in setup.files.items()}
    Workspace.create({**whole.files, **laid}, root)
    watch = _Watch(root, Outcome(way, pieces=len(whole.task.subgoals)))
    async with AsyncExitStack() as stack:
        working = {}
        for name, part, setup in zip(scenario.agents, parts, setups, strict=True):
            agent = _agent(part, env, root, f"{way}-{name}")
            steps = boundaries(agent, part, scenario.rounds, setup.instructions)
            working[name] = (agent, await stack.enter_async_context(aclosing(steps)))
        while working:
            # Both at once: what one reads, the other may be about to write.
            moves = [anext(steps, None) for _, steps in working.values()]
            stopped = [went is None for went in await asyncio.gather(*moves)]
            for name, (agent, _) in working.items():
                if turns := read_turns(agent.transcript.events):
                    watch.wrote(name, turns[-1])
            watch.look()
            going = [each for each, over in zip(working.items(), stopped, strict=True) if not over]
            working = dict(going)
    return watch.end(whole)


def _agent(part: LoadedTask, env: Environment, root: Path, scope: str) -> Agent:
    transcript = Transcript()
    return Agent(
        model=env.model,
        model_name=env.namer(part, 0, prefix=True),
        workspace=Workspace(root),
        sandbox=env.sandbox,
        blobs=env.run.blobs,
        transcript=transcript,
        user=ScriptedUser(part.task, transcript.write),
        scope=scope,
    )


@dataclass
class _Watch:
    """Compares, after every round, what each agent has written last with what is there."""

    root: Path
    outcome: Outcome
    last: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    overwritten: set[tuple[str, int]] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)

    def wrote(self, name: str, turn: Turn) -> None:
        """Note the task file that an agent has written whole in a turn."""
        for call in turn.calls:
            path = str(call.args.get("path", ""))
            known = self.last.get(name, (0, "", ""))
            if call.tool == "write_file" and call.ok and re.match("memory/current-task", path):
                if known[0] != turn.number:
                    self.outcome.notes += 1
                self.last[name] = (turn.number, path, str(call.args["content"]))

    def look(self) -> None:
        for name, (number, path, content) in self.last.items():
            if self._text(path) != content and (name, number) not in self.overwritten:
                self.overwritten.add((name, number))
                self.outcome.lost += 1
        lines = self._text(DECISIONS).splitlines()
        if lines[: len(self.lines)] != self.lines or len(set(lines)) < len(lines):
            self.outcome.rewritten += 1
        self.lines = lines

    def end(self, whole: LoadedTask) -> Outcome:
        """The outcome, with what stands in the workspace at the end."""
        texts = {
            path: self._text(path)
            for piece in whole.task.subgoals
            for path in piece.files
            if (self.root / path).is_file()
        }
        change = Change(whole.texts, {**whole.texts, **texts})
        self.outcome.kept = sum(self._text(path) == held for _, path, held in self.last.values())
        self.outcome.decisions = sum(line.startswith("- ") for line in self.lines)
        self.outcome.done = sum(holds(s.done_when, change) for s in whole.task.subgoals)
        return self.outcome

    def _text(self, path: str) -> str:
        file = self.root / path
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
