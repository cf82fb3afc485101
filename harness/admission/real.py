"""Admission rules seen in a real run: the worker, real tools and sandbox, from start to finish.

One walk through the task freezes every seam of every band; the controls are forked from each.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.agent import SYSTEM_PROMPT, Agent
from harness.chat import parse_reply
from harness.completion import check_completion
from harness.controls import Control
from harness.errors import InvalidTrial
from harness.prefix import Frozen, SeamRule, boundaries, freeze, require_usable
from harness.record import Plan
from harness.rubric import Rubric
from harness.sandbox import CommandResult, Sandbox
from harness.scratch import Scratch
from harness.store import Blobs
from harness.strategies.base import Budget, Context
from harness.task_model import Task
from harness.tasks import LoadedTask
from harness.text import digest, matches_all, units
from harness.transcript import Transcript
from harness.trial import run_fork
from harness.types import BANDS, Message, Record, Reply
from harness.user import ScriptedUser
from harness.worker.backend import WorkerBackend, handle
from harness.worker.beliefs import Matcher, believe, read_view
from harness.workspace import Workspace

MAX_TURNS = 90
RUNTIMES = ("node", "npx", "deno", "bun", "go", "cargo", "java")
MIN_TURNS = 15
OFFSETS = 3
CHECKED_CONTROLS = {"full": True, "oracle_card": True, "empty": False}


class DirectModel:
    """The worker's backend asked without HTTP: admission examines tasks, not the transport."""

    def __init__(self, backend: WorkerBackend) -> None:
        self.backend = backend

    async def complete(
        self,
        messages: list[Message],
        tools: list[dict[str, Any]] | None = None,
        *,
        max_tokens: int | None = None,
        model_name: str = "",
        on_wait: Any = None,
        scope: str = "",
    ) -> Reply:
        """One reply; the arguments are those of Model.complete."""
        request = {"model": model_name, "messages": messages, "tools": tools}
        return parse_reply(await self.backend.complete({**request, "max_tokens": max_tokens}), 0)


class MemoSandbox:
    """Runs a command once per state of the workspace: the windows repeat the prefix's commands."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.name = sandbox.name
        self.known: dict[str, CommandResult] = {}

    async def run(self, command: str, workdir: Path, **limits: Any) -> CommandResult:
        """As Sandbox.run. A command that changes files is run every time."""
        workspace = Workspace(workdir)
        key = digest([command, workspace.manifest()])
        if key not in self.known:
            result = await self.sandbox.run(command, workdir, **limits)
            if workspace.changed():
                return result
            self.known[key] = result
        return self.known[key]


@dataclass
class Seen:
    """What the real run showed: problems by rule, frozen seams, facts in force by progress."""

    problems: dict[str, list[str]] = field(default_factory=dict)
    seams: dict[tuple[str, int], Frozen] = field(default_factory=dict)
    facts_at: dict[int, list[str]] = field(default_factory=dict)
    final: dict[str, str] = field(default_factory=dict)

    def tell(self, rule: str, problem: str) -> None:
        told = self.problems.setdefault(rule, [])
        if problem not in told:
            told.append(problem)


@dataclass
class RealRun:
    """One task, examined with real parts in a scratch folder."""

    loaded: LoadedTask
    rubric: Rubric
    sandbox: Any
    scratch: Path
    seen: Seen = field(default_factory=Seen)

    def __post_init__(self) -> None:
        self.model = DirectModel(WorkerBackend({self.loaded.hash: self.task}))
        self.blobs = Blobs(self.scratch / "blobs")
        self.matcher = Matcher(self.task)
        for data in self.loaded.files.values():
            self.blobs.put(data)

    @property
    def task(self) -> Task:
        return self.loaded.task

    async def examine(self) -> Seen:
        """Walk through the task once, then fork the controls from every seam."""
        agent = self._agent(Workspace.create(self.loaded.files, self.scratch / "walk"), (), True)
        async with aclosing(boundaries(agent, self.loaded, MAX_TURNS)) as steps:
            async for progress in steps:
                self._look(agent, progress)
        self.seen.final = progress.texts
        if agent.turn < MIN_TURNS:
            self.seen.tell("counts", f"the worker needs {agent.turn} turns, at least {MIN_TURNS}")
        if progress.share < 1:
            missing = [s.id for s in self.task.subgoals if s.id not in progress.done_turn]
            self.seen.tell("walk", f"the worker ends with {', '.join(missing)} open")
        if progress.slip:
            self.seen.tell("walk", f"the prefix itself slips: {progress.slip}")
        self._outputs(agent)
        await self._completion(agent.workspace)
        self._needs()
        for place, frozen in self.seen.seams.items():
            for control, continued in CHECKED_CONTROLS.items():
                await self._control(place, frozen, control, continued)
        return self.seen

    def _agent(self, workspace: Workspace, events: Sequence[Any], prefix: bool) -> Agent:
        transcript = Transcript(None, events)
        return Agent(
            model=self.model,  # type: ignore[arg-type]
            model_name=f"worker:{handle(self.loaded.hash, 0, detours=prefix)}",
            workspace=workspace,
            sandbox=self.sandbox,
            blobs=self.blobs,
            transcript=transcript,
            user=ScriptedUser(self.task, transcript.write),
        )

    def _look(self, agent: Agent, progress: Any) -> None:
        """At a turn boundary: freeze what a seam could be, compare beliefs with the files."""
        self.seen.facts_at[len(progress.done_turn)] = progress.facts
        believed = believe(self.matcher, read_view(agent.transcript.view)).done
        if believed != set(progress.done_turn):
            wrong = sorted(believed ^ set(progress.done_turn))
            self.seen.tell("beliefs", f"turn {agent.turn}: believed and real differ in {wrong}")
        for band in BANDS:
            offset = sum((band, n) in self.seen.seams for n in range(OFFSETS))
            if (
                SeamRule("progress", band).inside(progress.share, (), agent.turn)
                and offset < OFFSETS
            ):
                frozen = freeze(agent, progress, band, offset)
                try:
                    require_usable(frozen.seam, self.task)
                    self.seen.seams[band, offset] = frozen
                except InvalidTrial as error:
                    self.seen.tell("seams", f"{band}: {error}")

    def _outputs(self, agent: Agent) -> None:
        """A fact's evidence matches nothing in the prefix but the message that states it."""
        stated = {m["content"] for m in agent.transcript.messages.values() if m["role"] == "user"}
        stated |= {detour.say for detour in self.task.detours}
        for message in agent.transcript.messages.values():
            texts = [text for text in _texts(message) if text not in stated]
            for unit in {unit for text in texts for unit in units(text)}:
                for fact in self.task.facts:
                    if matches_all(fact.evidence, unit):
                        self.seen.tell(
                            "evidence", f"{fact.id}: matches in the prefix: {unit[:90]!r}"
                        )

    async def _completion(self, finished: Workspace) -> None:
        """The hidden check fails before the work and passes after it."""
        completion = self.task.completion
        if completion is None:
            self.seen.tell("completion", "completion: a hidden check is missing")
            return
        if shown := sorted(set(self.loaded.hidden) & set(self.loaded.files)):
            self.seen.tell("completion", f"the agent could see {shown[0]}")
        before = Workspace.create(self.loaded.files, self.scratch / "before")
        for workspace, wanted in ((before, False), (finished, True)):
            found = await check_completion(workspace, self.sandbox, self.loaded)
            if found["passed"] is None and completion.run.split()[0] in RUNTIMES:
                return  # the language's runtime is absent here; static checks still hold
            if bool(found["passed"]) != wanted:
                when = "fails after the work" if wanted else "passes before the work"
                said = " / ".join(found["output"].strip().splitlines()[-3:])
                self.seen.tell("completion", f"{when}: {said[:200]}")

    def _needs(self) -> None:
        """Over the bands the next sub-goals need each kind; a redo is finished by mid."""
        kinds = set()
        for band in BANDS:
            if (band, 0) not in self.seen.seams:
                self.seen.tell("seams", f"{band}: never reached with facts and open sub-goals")
                continue
            frozen = self.seen.seams[band, 0]
            following = self.task.subgoal(frozen.seam["seam"]["open"][0])
            kinds |= {self.task.fact(n).kind for n in following.needs if n in frozen.seam["facts"]}
            if band == "mid" and not any(
                self.task.subgoal(name).redo for name in frozen.seam["seam"]["done"]
            ):
                self.seen.tell("seams", "mid: no sub-goal with redo is finished")
        for kind in ("constraint", "path", "naming"):
            if kind not in kinds:
                self.seen.tell("seams", f"no next sub-goal at the four seams needs a {kind} fact")

    async def _control(
        self, place: tuple[str, int], frozen: Frozen, name: str, continued: bool
    ) -> None:
        record = await self._fork(frozen, name)
        right = record["continued_strict"] if continued else not record["continued"]
        if not right:
            modes = record["windows"]["registered"]["failure_modes"]
            told = f"fails {modes}" if continued else "continues"
            self.seen.tell("controls", f"{name} at {place[0]}+{place[1]} {told}")

    async def _fork(self, frozen: Frozen, name: str) -> Record:
        root = self.scratch / "fork"
        agent = self._agent(Workspace.restore(frozen.tar, root), frozen.events, False)
        seam = {"facts": frozen.seam["facts"], "done": frozen.seam["seam"]["done"]}
        ctx = Context(
            handle="admission",
            workspace=agent.workspace,
            complete=self.model.complete,
            budget=Budget("study", None, 0.1, 500),
            folder=self.scratch / "private",
            write=_write_nothing,
        )
        short = replace(self.rubric, extended_turns=self.rubric.window_turns, follow_turns=3)
        plan = Plan(
            trial_id="admission",
            columns={"budget": {}},
            strategy=Control(name, self.task, seam),
            rubric=short,
            to_completion=False,
            max_turns=MAX_TURNS,
        )
        try:
            return await run_fork(agent, ctx, frozen, plan, self.loaded)
        finally:
            shutil.rmtree(root)


def _texts(message: Message) -> Iterator[str]:
    """All text of a message: content, and every text among the arguments of its calls."""
    if message["content"] and message["content"] != SYSTEM_PROMPT:
        yield message["content"]
    for call in message.get("tool_calls") or []:
        yield call["function"]["arguments"]


async def examine(loaded: LoadedTask, rubric: Rubric, sandbox: Sandbox) -> Seen:
    """The real run of one task."""
    with Scratch() as scratch:
        return await RealRun(loaded, rubric, MemoSandbox(sandbox), Path(scratch)).examine()


async def completion_before(loaded: LoadedTask, sandbox: Sandbox) -> list[str]:
    """For a fixture without a solution: the hidden check must fail on the untouched codebase."""
    completion = loaded.task.completion
    if completion is None:
        return []
    with Scratch() as scratch:
        workspace = Workspace.create(loaded.files, Path(scratch) / "before")
        found = await check_completion(workspace, sandbox, loaded)
    if not loaded.hidden:
        return ["completion/ is empty: put the hidden tests there"]
    return ["passes before the work"] if found["passed"] else []


def _write_nothing(path: str, text: str) -> None:
    """Controls own no files."""
    raise ValueError(f"a control writes {path!r}")
