"""long_mem: state goes to a store outside the view; what is relevant is put back every turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness import tokens
from harness.extract import extract
from harness.strategies.base import Context, Strategy, system_of
from harness.text import carried, carried_message
from harness.types import Compaction, Message, State

# Order of injection, so that under a limit the costliest to lose stay (seed 003, 6.2).
PRIORITY = ("constraints", "open", "files", "naming")


@dataclass(frozen=True)
class Item:
    """One stored item: which task it belongs to, its kind, its text."""

    task: str
    kind: str
    text: str


class LongMem(Strategy):
    """Constraints, files, naming and open sub-goals in a store; injected before every turn.

    kinds: which kinds are stored. Items of the same task are never filtered out (seed 003, 6.3);
    the budget's card limit bounds an injection.
    """

    name = "long_mem"

    def __init__(self, kinds: Sequence[str] = PRIORITY) -> None:
        self.kinds = list(kinds)

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        stored = self.store(history, ctx)
        reserved = tokens.count(_memory(stored, ctx.budget.card)) if stored else 0
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        summary = await ctx.summarise(history, budget)
        return Compaction(
            view=[*system_of(history), carried_message([("summary", summary)], history)],
            artefacts={"summary": summary, "stored": _memory(stored, None)},
        )

    def store(self, history: Sequence[Message], ctx: Context) -> list[Item]:
        """Extract the state of a history and write it to the store on disk."""
        state = extract(history)
        stored = [Item(ctx.handle, kind, text) for kind, text in _items(state, self.kinds)]
        ctx.folder.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(vars(item), ensure_ascii=False) + "\n" for item in stored]
        (ctx.folder / "memory.jsonl").write_text("".join(lines), encoding="utf-8")
        return stored

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        memory = _memory(self.relevant(ctx), ctx.budget.card)
        if not memory:
            return view
        return [*view, {"role": "user", "content": carried("memory", memory)}]

    def relevant(self, ctx: Context) -> list[Item]:
        """Stored items of this task, in order of priority."""
        path = ctx.folder / "memory.jsonl"
        if not path.exists():
            return []
        items = [Item(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
        return [item for item in items if item.task == ctx.handle]


def _items(state: State, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    for kind in kinds:
        if kind == "constraints":
            for rule in state.constraints:
                mark = "MUST NOT" if rule.polarity == "must_not" else "MUST"
                yield kind, f"{mark}: {rule.text}"
        elif kind == "files":
            yield from ((kind, f"{file.path} ({file.role})") for file in state.files)
        elif kind == "open":
            yield from ((kind, f"[ ] {text}") for text in state.open)
        else:
            yield from ((kind, text) for text in getattr(state, kind))


def _memory(items: Sequence[Item], budget: int | None) -> str:
    """Items as list lines within `budget` tokens, whole items only."""
    lines: list[str] = []
    used = 0
    for item in items:
        line = "- " + " ".join(item.text.split())
        used += tokens.count(line) + 1
        if budget is not None and used > budget:
            break
        lines.append(line)
    return "\n".join(lines)
