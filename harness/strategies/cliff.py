"""cliff: the request, a mechanical log of what was done, the last turns. No model is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness import tokens
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.keep import Group, flat, newest, own_groups, said, shorten
from harness.text import carried_message, content_text
from harness.types import Compaction, Message


class Cliff(Strategy):
    """First user message verbatim, the middle as a log by code, the last turns verbatim.

    Sizes as in the product: turns: kept verbatim (3); result_chars: results up to this length stay
    in the log, longer ones do not (500); call_chars: of a call's line (150). Where that is over the
    budget: one turn, then the agent's words in the log at `thought_chars` (300) each, then the log
    loses its oldest lines. A log of an earlier compaction is discarded. Product's trigger: 200,000
    tokens, or 100,000 to 128,000 in a window of 200,000.
    """

    name = "cliff"
    source = "field"
    keeps = "the request, a log by code, the last turns"
    calls = 0

    def __init__(
        self,
        turns: int = 3,
        result_chars: int = 500,
        call_chars: int = 150,
        thought_chars: int = 300,
    ) -> None:
        self.turns = turns
        self.result_chars = result_chars
        self.call_chars = call_chars
        self.thought_chars = thought_chars

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        own = own_groups(history)
        first = said(own)[:1]
        own = [group for group in own if all(group is not each for each in first)]
        notes: tuple[str, ...] = ()
        for number, (turns, cap) in enumerate(
            [(self.turns, None), (1, None), (1, self.thought_chars)]
        ):
            middle, tail = _split(own, turns)
            log = [line for group in middle for line in self._lines(group, cap)]
            notes = (f"rung:{number}",) if number else ()
            size = tokens.count_view(flat([*first, *tail])) + tokens.count("\n".join(log))
            if ctx.budget.total is None or size <= ctx.budget.total:
                return _view(history, first, log, tail, notes)
        return _cut(history, ctx.budget.total or 0, first, log, tail)

    def _lines(self, group: Group, cap: int | None) -> Iterator[str]:
        for message in group:
            text = content_text(message).strip()
            if message["role"] == "tool":
                yield from [f"result: {text}"] if text and len(text) <= self.result_chars else []
                continue
            if text:
                short = shorten(text, cap) if cap and message["role"] == "assistant" else text
                yield f"{message['role']}: {short}"
            for call in message.get("tool_calls") or []:
                signature = f"{call['function']['name']}({call['function']['arguments']})"
                yield f"call: {' '.join(signature.split())[: self.call_chars]}"


def _split(own: Sequence[Group], turns: int) -> tuple[list[Group], list[Group]]:
    """Groups before the last `turns` of the agent, and from there on."""
    steps = [i for i, group in enumerate(own) if group[0]["role"] == "assistant"]
    start = steps[-turns] if len(steps) >= turns else 0
    return list(own[:start]), list(own[start:])


def _cut(
    history: Sequence[Message],
    total: int,
    first: Sequence[Group],
    log: Sequence[str],
    tail: Sequence[Group],
) -> Compaction:
    """The last rung: request, then last turn, then what of the log's end still fits."""
    head, used = newest(first, total)
    kept, size = newest(tail, total - used)
    left = total - used - size
    lines: list[str] = []
    for line in reversed(log):
        left -= tokens.count(line) + 1
        if left < 0:
            break
        lines.insert(0, line)
    notes = ["rung:3"] + ["request_over_budget"] * (len(head) < len(first))
    return _view(history, head, lines, kept, tuple(notes))


def _view(
    history: Sequence[Message],
    head: Sequence[Group],
    log: Sequence[str],
    tail: Sequence[Group],
    notes: tuple[str, ...],
) -> Compaction:
    text = "\n".join(log)
    middle = carried_message([("summary", text)], history)
    view = [*system_of(history), *flat(head), middle, *flat(tail)]
    return Compaction(view=view, artefacts={"summary": text}, notes=notes)
