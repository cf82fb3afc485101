"""protocol, git_log, repeat: what the agent itself keeps, by instruction, and reads back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from harness.errors import UserError
from harness.strategies.anew import BASES, begun_anew
from harness.strategies.base import Context, Strategy
from harness.strategies.keep import carried_parts
from harness.strategies.steps import require_choice
from harness.text import carried
from harness.transcript import Turn
from harness.types import Compaction, Message, Recovery, Setup

KEEPING = """\
The folder memory/ is your memory: the conversation may be cut at any time, the files stay.
After each step, write `{task}` with the goal, the rules, the plan, at most 150 lines.
After each step, append new decisions to `memory/decisions.md`, one line each with its reason; \
change no older line.
After each step, write `{map}` with the files and what each is for.
After each step, commit all changes: a commit that is missing shows that the memory is old.
"""
RESUMING = """\
The conversation was cut. Change nothing before you have read your memory.
First run `git log --oneline -5` and take its output as your notes.
First read `{protocol}`, `{task}`.
First run `tail -n 3 memory/decisions.md` and take its output as your notes.
First read `{map}`.
Where memory and conversation differ, memory counts; where git and memory differ, git counts: \
name the difference.
State in at most five sentences the goal, the rules, what is done and the next step.
"""
COMMITTING = """\
The commits of this project are your memory: the conversation may be cut at any time.
After each step, commit all changes, with a message that says what was done.
"""
LOOKING_BACK = """\
The conversation was cut. Look at what was done before you go on.
First run `git log --oneline -30` and take its output as your notes.
First run `git diff HEAD`.
"""
_NAME = re.compile(r"\w{0,32}")
REPEATING = "After every {every} steps, repeat the rules that the user has set, in your own reply."


class KeptByAgent(Strategy):
    """An instruction from the start on, and what to do first after a seam.

    base: what the compaction itself leaves, a free summary as in products or the user's last
    message alone as in the seed's trial. `resuming`: asked once in each view; a view that has it is
    left as it is, so running the recovery again changes nothing.
    """

    prefix: Literal["shared", "own"] = "own"
    source = "seed 002"
    resuming = ""

    def __init__(self, base: str = "summary") -> None:
        self.base = require_choice("base", base, BASES)
        self.calls = int(base == "summary")
        self.confirm = False

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        return await begun_anew(self.base, history, ctx)

    async def recover(
        self, view: Sequence[Message], turns: Sequence[Turn], ctx: Context
    ) -> Recovery | None:
        if not self.resuming or carried_parts(view, "recovery"):
            return None
        asked = {"role": "user", "content": carried("recovery", self.resuming)}
        return Recovery([asked], turns=self.recovery_turns, confirm=self.confirm)

    recovery_turns = 6


class Protocol(KeptByAgent):
    """Files in memory/ that the agent keeps after each step and reads first after a seam.

    confirm: the agent's restatement waits for the user's word, as in the seed, before work goes on.
    agent: where several work in one folder, the name that its own files end with; only the
    decisions are common, and only added to.
    """

    name = "protocol"
    keeps = "memory files that the agent keeps, commits, a fixed recovery"
    owned = ("memory/**",)
    fixed_tokens = 208  # the usual 48, and RESUMING

    def __init__(self, base: str = "summary", confirm: bool = True, agent: str = "") -> None:
        super().__init__(base)
        if not _NAME.fullmatch(agent):
            raise UserError(f"strategy.agent: expected a word, found {agent!r}")
        self.confirm = confirm
        end = f"-{agent}.md" if agent else ".md"
        kinds = {"task": "current-task", "map": "file-map", "protocol": "protocol"}
        self.names = {key: f"memory/{name}{end}" for key, name in kinds.items()}
        self.resuming = RESUMING.format(**self.names)

    def start(self) -> Setup:
        keeping = KEEPING.format(**self.names)
        files = {
            self.names["task"]: "# Current task\n",
            "memory/decisions.md": "# Decisions\n",
            self.names["map"]: "# File map\n",
            self.names["protocol"]: f"# Protocol\n\n{keeping}\n# After a cut\n\n{self.resuming}",
        }
        return Setup(instructions=keeping, files=files)


class GitLog(KeptByAgent):
    """A commit at every step, and log and diff read back after a seam."""

    name = "git_log"
    keeps = "commits at every step, read back by log and diff"
    resuming = LOOKING_BACK
    recovery_turns = 1  # one look; there is nothing to restate
    fixed_tokens = 104  # the usual 48, and LOOKING_BACK

    def start(self) -> Setup:
        return Setup(instructions=COMMITTING)


class Repeat(KeptByAgent):
    """The rules said again in the conversation, which lengthens it, so the seam comes sooner.

    every: steps between two repetitions (3: a few times in each band of the seam).
    """

    name = "repeat"
    keeps = "a summary of a history in which the rules come again and again"

    def __init__(self, base: str = "summary", every: int = 3) -> None:
        super().__init__(base)
        self.every = every

    def start(self) -> Setup:
        return Setup(instructions=REPEATING.format(every=self.every))
