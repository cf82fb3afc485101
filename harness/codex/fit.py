"""What of a configuration Codex can take on, told before anything runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from harness.codex.agent import MOST_SEAMS, summary_text
from harness.codex.process import find_codex
from harness.errors import InvalidTrial, UserError
from harness.scratch import Scratch
from harness.settings import Config
from harness.strategies import make_strategy
from harness.strategies.bare import Bare
from harness.strategies.base import AddOn, Budget, Context, Strategy
from harness.text import CONTINUE
from harness.types import Message, Reply, Usage

_RUN = {"name": "run", "arguments": '{"command": "ls"}'}
_HISTORY: list[Message] = [
    {"role": "system", "content": "A prompt."},
    {"role": "user", "content": "Rename the helpers of a.py. Keep b.py as it is. " * 40},
    {
        "role": "assistant",
        "content": "Looking.",
        "tool_calls": [{"id": "a", "type": "function", "function": _RUN}],
    },
    {"role": "tool", "tool_call_id": "a", "content": "a.py\nb.py\n"},
    {"role": "user", "content": "Tests run with PORT=1."},
    {"role": "assistant", "content": "Done: a.py."},
]


class _Folder:
    """A workspace in which there is nothing to see."""

    def status(self) -> str:
        return ""

    def diff(self) -> str:
        return ""

    def log(self) -> str:
        return ""

    def text(self, path: str) -> str | None:
        return None


def require_fit(config: Config) -> None:
    """Raises UserError where Codex is absent, or a strategy needs what it does not let one do."""
    find_codex()
    if config.seam.count > MOST_SEAMS:
        raise UserError(f"agent=codex: seam.count can be {MOST_SEAMS} at most")
    for given in config.strategies:
        strategy = make_strategy(given.name, given.options, given.import_path, given.addons)
        if name := _refusing(strategy):
            raise UserError(
                f"agent=codex: {name} refuses tool calls, but Codex carries out its own"
            )
        if type(strategy) is not Bare and not asyncio.run(_is_text(strategy)):
            raise UserError(
                f"agent=codex: strategy {given.name} keeps messages of the history, but Codex "
                "makes a new one of all the user's messages and a summary; take a strategy that "
                "writes text, such as engram"
            )


def _refusing(strategy: Strategy) -> str | None:
    """Which part of a strategy would refuse tool calls."""
    while isinstance(strategy, AddOn):
        if type(strategy).refuse is not AddOn.refuse:
            return type(strategy).__name__
        strategy = strategy.inner
    return None if type(strategy).refuse is Strategy.refuse else strategy.name


async def _is_text(strategy: Strategy) -> bool:
    """Whether what the strategy makes of a small history can stand in a summary."""

    async def complete(messages: list[Message], **limits: Any) -> Reply:
        message = {"role": "assistant", "content": "The helpers of a.py are renamed."}
        return Reply(message=message, usage=Usage(), model="")

    with Scratch() as folder:
        ctx = Context(
            handle="fit",
            workspace=_Folder(),
            complete=complete,
            budget=Budget("study", None, 0.5, 500),
            folder=Path(folder) / "private",
            write=lambda path, text: None,
        )
        compaction = await strategy.compact(_HISTORY, ctx)
    try:
        summary_text(compaction.view, _HISTORY, CONTINUE["en"])
    except InvalidTrial:
        return False
    return True
