"""Stored histories, and a context to compact them in: shared by the tests of strategies."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from harness import tokens
from harness.strategies import make_strategy
from harness.strategies.base import Budget, Context, system_of
from harness.text import content_text, split_carried
from harness.trial import require_whole_calls
from harness.types import Compaction, Message, Reply, Usage
from harness.worker.summariser import summarise
from harness.workspace import Workspace

GOLDEN = Path(__file__).resolve().parent / "golden"
STUDY = Budget("study", None, 0.1, 500)
Say = Callable[[Sequence[Message], int], str]


def matched(total: int) -> Budget:
    return Budget("matched", total, 0.1, 500)


def history(name: str) -> list[Message]:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def extractive(messages: Sequence[Message], budget: int) -> str:
    return summarise(messages[:-1], budget)


def context(folder: Path, budget: Budget = STUDY, say: Say = extractive) -> Context:
    """A context whose workspace has changes, and whose summariser is `say`."""
    files = {"tidewatch/alarm.py": b"LIMIT = 300\n", "CHANGELOG.md": b"# Changes\n"}
    workspace = Workspace.create(files, folder / "workspace")
    (workspace.root / "tidewatch/alarm.py").write_text("LIMIT = 310\nLATE = 5\n", encoding="utf-8")
    (workspace.root / "notes.txt").write_text("to do\n", encoding="utf-8")

    async def complete(messages: Sequence[Message], *, max_tokens: int) -> Reply:
        text = say(messages, max_tokens)
        return Reply({"role": "assistant", "content": text}, Usage(100, 0, 10), "simulated")

    def write(path: str, text: str) -> None:
        raise ValueError(f"no strategy with a shared prefix writes {path}")

    return Context("task", workspace, complete, budget, folder / "private", write)


async def compact(name: str, before: Sequence[Message], ctx: Context, **options: Any) -> Compaction:
    return await make_strategy(name, options).compact(before, ctx)


def put_in(view: Sequence[Message]) -> int:
    """Tokens beyond the system prompt."""
    return tokens.count_view(view[len(system_of(view)) :])


def require_valid(view: Sequence[Message], before: Sequence[Message]) -> None:
    """What real endpoints ask of a list of messages, and a view of a strategy."""
    assert system_of(view) == system_of(before)
    assert view[len(system_of(view))]["role"] == "user"
    require_whole_calls(view)
    waiting: set[str] = set()
    for message in view:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting
        waiting = {call["id"] for call in message.get("tool_calls") or []}
    assert not waiting


def carried(view: Sequence[Message], kind: str) -> str:
    pieces = [
        piece for m in view if m["role"] == "user" for piece in split_carried(content_text(m))
    ]
    return "\n".join(text for found, text in pieces if found == kind)
