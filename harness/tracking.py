"""What has been done and said so far in a task: kept while it runs, or read back from a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.checks import Change, holds
from harness.scorer import Seam, broken, wrong_place
from harness.task_model import Remark, Task
from harness.tasks import LoadedTask
from harness.text import glob_match
from harness.transcript import Event, Turn, read_turns


@dataclass
class Progress:
    """What has been done and said so far, kept up to date at every turn boundary.

    text: the text of a blob by its SHA-256. owned: globs of files that belong to the strategy.
    """

    loaded: LoadedTask
    text: Callable[[str], str]
    owned: Sequence[str] = ()
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

    def update(self, turn: Turn) -> None:
        """After a turn: new file texts, finished sub-goals, facts stated by a detour, slips."""
        self.commands.extend(turn.commands)
        for path, sha in turn.files.items():
            if glob_match(path, self.owned):
                continue  # memory that quotes a rule or a step is no work
            if sha is None:
                self.texts.pop(path, None)
            else:
                self.texts[path] = self.text(sha)
        if turn.files or turn.number == 1:  # files are all that it depends on
            self._look_for_steps(turn.number)
        for detour in self.task.detours:
            if turn.say == detour.say:
                self.state(f"detour:{detour.after}", turn.number)
        self._look_for_slips(turn.files)

    def _look_for_steps(self, turn: int) -> None:
        change = Change(self.loaded.texts, self.texts)
        for subgoal in self.task.subgoals:
            finished = holds(subgoal.done_when, change)
            if finished and subgoal.id not in self.done_turn:
                self.done_turn[subgoal.id] = turn
            elif not finished:
                self.done_turn.pop(subgoal.id, None)

    def _look_for_slips(self, written: Mapping[str, str | None]) -> None:
        """A prefix that itself breaks a rule cannot show what compaction did."""
        seam = Seam(self.facts, [], [], self.loaded.texts, self.owned)
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

    def deliver(self, remark: Remark, turn: int) -> None:
        """Note that a remark was given after `turn`."""
        self.delivered.add(remark.id)
        self.state(remark.id, turn)


def replay(
    loaded: LoadedTask, events: Sequence[Event], text: Callable[[str], str], owned: Sequence[str]
) -> Progress:
    """The progress that a log tells of, from its beginning to its end."""
    progress = Progress(loaded, text, owned, texts=dict(loaded.texts))
    turns = iter(read_turns(events))
    remarks = {f"remark:{remark.id}": remark for remark in loaded.task.remarks}
    for event in events:
        source = event.get("source")
        if event["type"] == "turn":
            progress.update(next(turns))
        elif source == "request":
            progress.state("request", 0)
        elif source in remarks:
            progress.deliver(remarks[source], event["turn"] - 1)
    return progress
