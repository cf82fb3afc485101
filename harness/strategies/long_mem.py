"""long_mem: state goes to a store outside the view; what is relevant is put back every turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from harness import tokens
from harness.extract.speech import tokens as words
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.memory_store import (
    KINDS,
    Item,
    MemoryStore,
    items_of,
    names_of,
    read_items,
)
from harness.strategies.steps import (
    EXTRACTIONS,
    FRAME_TOKENS,
    LastTurn,
    last_turn,
    require_choice,
    state_of,
)
from harness.text import carried, carried_message, content_text, digest
from harness.transcript import Turn
from harness.types import Compaction, Message, State

# Order of kinds, so that under a limit the costliest to lose stay (seed 003, 6.2).
PRIORITY = ("constraints", "open", "files", "naming")
FILTERS = ("task", "all", "strict")


class LongMem(Strategy):
    """Constraints, files, naming and open sub-goals in a store; injected before every turn.

    kinds: which kinds are stored, in order of priority. filter: "task" gives back all items of
    the same task and nothing else (seed 003, 6.3); "all" lets those of other tasks in after them
    (contamination); "strict" gives back only what the last turn bears on, by path or by words, and
    so loses early rules. Where not everything fits the limit, the budget's card: same task first
    (its rules before the rest), then a path in common with the last turn, then BM25 against its
    text, plan and paths. store: None is a store of this trial alone; a file is shared by trials,
    so that results depend on what ran before. prefill: items of other tasks that are in the store
    beforehand (seambench export memory). extraction: see Engram.

    Notes count what came of other tasks' items: foreign_items in a view, and foreign_rules_named,
    the rules among them of which the agent then used a name that nothing else in its view held.
    """

    name = "long_mem"
    source = "study"
    calls = 1
    keeps = "items in a store, put back at every turn"
    inputs = ("prefill",)
    paths = ("prefill", "store")

    def __init__(
        self,
        kinds: Sequence[str] = PRIORITY,
        filter: str = "task",
        store: str | None = None,
        prefill: str | None = None,
        extraction: str = "rules",
    ) -> None:
        self.kinds = [require_choice("kinds", kind, KINDS) for kind in kinds]
        self.filter = require_choice("filter", filter, FILTERS)
        self.path = Path(store) if store else None
        self.prefill = read_items(prefill) if prefill else []
        self.extraction = require_choice("extraction", extraction, EXTRACTIONS)
        self.calls = 1 + (extraction == "model")
        self._last = LastTurn()
        self._kept = False
        self._foreign: int | None = None
        self._foreign_rules: dict[str, frozenset[str]] = {}  # text -> names only it has
        self._named: dict[str, bool] = {}  # of these, whether the agent used one

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        state, notes = await state_of(await self.recalled(history, ctx), ctx, self.extraction)
        stored = await self.keep(state, history, ctx)
        reserved, told = await self.reserve(ctx, self.limit(ctx))
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        summary = await ctx.summarise(history, budget)
        return Compaction(
            view=[*system_of(history), carried_message([("summary", summary)], history)],
            artefacts={"summary": summary, "stored": stored},
            notes=(*notes, *told),
        )

    def limit(self, ctx: Context) -> int:
        """Most tokens of one injected message."""
        total = ctx.budget.total
        return ctx.budget.card if total is None else min(ctx.budget.card, total)

    async def recalled(self, history: Sequence[Message], ctx: Context) -> list[Message]:
        """A history headed by what this trial has stored at an earlier seam.

        Injections are not part of a history, so at a second seam the first one's items would
        otherwise be lost, and what was taken back since could not be taken out of the store.
        """
        # A shared store may hold what an earlier try of this very trial had stored.
        if not self._kept:
            return list(history)
        own = await asyncio.to_thread(self._store(ctx).own, ctx.handle, ctx.folder.name)
        head = system_of(history)
        card = "\n".join(
            f"## {'Progress' if kind == 'open' else kind.capitalize()}\n{_lines(of_kind)}"
            for kind in self.kinds
            if (of_kind := [item for item in own if item.kind == kind])
        )
        if not card:
            return list(history)
        return [*head, {"role": "user", "content": carried("card", card)}, *history[len(head) :]]

    async def keep(self, state: State, history: Sequence[Message], ctx: Context) -> str:
        """Write a state to the store; what was written, as lines."""
        ctx.folder.mkdir(parents=True, exist_ok=True)
        self._last = last_turn(history)
        turn = sum(message["role"] == "assistant" for message in history)
        own = items_of(state, ctx.handle, turn, self.kinds)
        others = [item for item in self.prefill if item.task != ctx.handle]
        # In a thread, so that a locked store holds up this trial and no other.
        keep = self._store(ctx).keep
        await asyncio.to_thread(keep, ctx.handle, ctx.folder.name, own, others)
        self._kept = True
        return _lines(own)

    async def reserve(self, ctx: Context, limit: int) -> tuple[int, list[str]]:
        """Tokens that no later injection exceeds, and notes on what the first one holds."""
        own, foreign = await self._candidates(ctx)
        shown = self._chosen(own, foreign, self._last, limit)
        notes = self._told(shown, ctx)
        if foreign:
            # Which items there were is not in the configuration.
            known = digest([[item.task, item.kind, item.text] for item in foreign])[:12]
            notes.append(f"foreign_candidates:{len(foreign)}:{known}")
        if missing := sum(item not in shown for item in own):
            notes.append(f"own_items_left_out:{missing}")
        return (min(_cost([*own, *foreign]), limit) if own or foreign else 0), notes

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        return await self.inject(view, ctx, self.limit(ctx))

    async def inject(self, view: list[Message], ctx: Context, limit: int) -> list[Message]:
        """The view with the relevant items at its end, in a message of at most `limit` tokens."""
        own, foreign = await self._candidates(ctx)
        now = last_turn(view)
        shown = self._chosen(own, foreign, now if now.text else self._last, limit)
        ctx.notes.extend(self._told(shown, ctx))
        if not shown:
            return view
        if rules := [i for i in shown if i.task != ctx.handle and i.kind == "constraints"]:
            own = "\n".join([*(i.text for i in shown if i.task == ctx.handle), _spoken(view)])
            names = {i.text: frozenset(n for n in names_of(i) if n not in own) for i in rules}
            self._foreign_rules |= {text: held for text, held in names.items() if held}
            self._count_named("", ctx)
        return [*view, {"role": "user", "content": carried("memory", _lines(shown))}]

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        calls = [json.dumps(call.args, ensure_ascii=False) for call in turn.calls]
        self._count_named("\n".join([turn.say, *calls]), ctx)

    def _count_named(self, said: str, ctx: Context) -> None:
        """Note how many foreign rules the agent has used a name of, where that changes."""
        before = sum(self._named.values()) if self._named else None
        for text, names in self._foreign_rules.items():
            used = any(name in said for name in names)
            self._named[text] = used or self._named.get(text, False)
        if self._named and (count := sum(self._named.values())) != before:
            ctx.notes.append(f"foreign_rules_named:{count}")

    def _told(self, shown: Sequence[Item], ctx: Context) -> list[str]:
        """How many items of other tasks a view holds: a note where that is another number."""
        count = sum(item.task != ctx.handle for item in shown)
        if count == self._foreign or not (self.prefill or self.path):
            return []
        self._foreign = count
        return [f"foreign_items:{count}"]

    def _store(self, ctx: Context) -> MemoryStore:
        return MemoryStore(self.path or ctx.folder / "memory.db")

    async def _candidates(self, ctx: Context) -> tuple[list[Item], list[Item]]:
        """What the filter lets through before relevance: own items, and those of other tasks."""
        store = self._store(ctx)
        own = await asyncio.to_thread(store.own, ctx.handle, ctx.folder.name)
        if self.filter != "all":
            return own, []
        foreign = await asyncio.to_thread(store.foreign, ctx.handle)
        return own, [item for item in foreign if item.kind in self.kinds]

    def _chosen(
        self, own: Sequence[Item], foreign: Sequence[Item], last: LastTurn, limit: int
    ) -> list[Item]:
        """Whole items within the limit; the most relevant are taken, shown in a fixed order."""
        items = [*own, *foreign]
        if self.filter != "strict" and _cost(items) <= limit:
            return items
        overlap = [_overlaps(item.paths, last.paths) for item in items]
        scores = _scores([item.text for item in items], last.text)
        # Own rules bear on every turn, whatever it speaks of (seed 003, 6.3): no limit takes them
        # before things of the moment.
        ruled = [i < len(own) and items[i].kind == "constraints" for i in range(len(items))]
        order = sorted(
            range(len(items)),
            key=lambda i: (i >= len(own), not ruled[i], not overlap[i], -scores[i], i),
        )
        if self.filter == "strict":
            order = [i for i in order if overlap[i] or scores[i] > 0]
        taken: list[int] = []
        for i in order:
            if _cost([items[j] for j in [*taken, i]]) <= limit:
                taken.append(i)
        return [items[i] for i in sorted(taken)]


def _spoken(view: Sequence[Message]) -> str:
    return "\n".join(f"{content_text(m)} {m.get('tool_calls') or ''}" for m in view)


def _lines(items: Sequence[Item]) -> str:
    return "\n".join(f"- {item.text}" for item in items)


def _cost(items: Sequence[Item]) -> int:
    """Tokens of an injected message of these items, or a few less than that."""
    return FRAME_TOKENS + sum(tokens.count(f"- {item.text}") + 1 for item in items)


def _overlaps(paths: Sequence[str], others: frozenset[str]) -> bool:
    """Whether one of the paths is one of the others; a bare name counts as the end of a path."""
    return any(
        f"/{a}".endswith(f"/{b}") or f"/{b}".endswith(f"/{a}") for a in paths for b in others
    )


def _scores(texts: Sequence[str], query: str) -> list[float]:
    """BM25 (Lucene's, never negative) of each text; 0 where no content word is shared.

    Words are those of extraction: stop words left out, pairs of characters for Chinese. Rounded,
    since the order in which parts are added up differs between processes.
    """
    asked = sorted(words(query))
    split = [sorted(words(text)) for text in texts]
    known = [i for i, found in enumerate(split) if found]
    scores = [0.0] * len(texts)
    if not asked or not known:
        return scores
    import bm25s

    index = bm25s.BM25(method="lucene")
    index.index([split[i] for i in known], show_progress=False)
    for i, score in zip(known, index.get_scores(asked), strict=True):
        scores[i] = round(float(score), 4)
    return scores
