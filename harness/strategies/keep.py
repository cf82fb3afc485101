"""Cutting a history in whole groups: a tool call and its results stay or go together."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from harness import tokens
from harness.strategies.base import Budget, system_of
from harness.text import CONTINUE, carried_message, content_text, is_chinese, split_carried
from harness.types import Message

LEFT_OUT = {"en": "Earlier messages were left out here.", "zh": "此前的消息已略去。"}

_STUB = re.compile(r"\[\d+ lines? left out\]")

Group = list[Message]


def groups(history: Sequence[Message]) -> list[Group]:
    """What follows the system prompt, in groups: a message, or one with calls and all its results.

    Calls without results and results without calls are left out: endpoints refuse them.
    """
    found: list[Group] = []
    for message in history[len(system_of(history)) :]:
        if message["role"] != "tool":
            found.append([message])
        elif found and message["tool_call_id"] in _calls_of(found[-1][0]):
            found[-1].append(message)
    return [g for g in found if {m["tool_call_id"] for m in g[1:]} == _calls_of(g[0])]


def own_groups(history: Sequence[Message]) -> list[Group]:
    """Groups without what earlier compactions wrote."""
    return [group for group in groups(history) if not carried_over(group[0])]


def said(own: Sequence[Group]) -> list[Group]:
    """The user's own messages; answers to a tool call are results, not messages."""
    return [group for group in own if group[0]["role"] == "user"]


def _calls_of(message: Message) -> set[str]:
    return {call["id"] for call in message.get("tool_calls") or []}


def flat(kept: Iterable[Group]) -> list[Message]:
    """The messages of groups in order."""
    return list(itertools.chain.from_iterable(kept))


def carried_over(message: Message) -> bool:
    """True for a user message that an earlier compaction wrote: carried text, or just "go on"."""
    if message["role"] != "user":
        return False
    text = content_text(message)
    return text.strip() in CONTINUE.values() or any(kind for kind, _ in split_carried(text))


def carried_parts(history: Iterable[Message], kind: str) -> list[str]:
    """Texts of one kind that earlier compactions left in a history, oldest first."""
    texts = [content_text(m) for m in history if m["role"] == "user"]
    return [piece for text in texts for found, piece in split_carried(text) if found == kind]


def newest(
    parts: Sequence[Group], room: int | None, messages: int | None = None
) -> tuple[list[Group], int]:
    """The newest groups without a gap within `room` tokens and `messages`, and their tokens.

    One group may go over `messages`, none over `room`: if the newest does, it is tried with its
    results stubbed. None sets no limit.
    """
    kept: list[Group] = []
    used = count = 0
    for group in reversed(parts):
        size = tokens.count_view(group)
        if not kept and room is not None and size > room:
            group = stub_results(group)
            size = tokens.count_view(group)
        count += len(group)
        over = messages is not None and kept and count > messages
        if over or (room is not None and used + size > room):
            break
        kept.insert(0, group)
        used += size
    return kept, used


def share_room(history: Sequence[Message], share: float, budget: Budget) -> int:
    """Limit of what is kept verbatim beside a summary: a share of the history and the budget's."""
    return least(round(tokens.count_view(history) * share), verbatim_room(budget))


def verbatim_room(budget: Budget) -> int | None:
    """Limit of what stands beside a summary: half, so that neither starves the other; or None."""
    return None if budget.total is None else budget.total // 2


def least(size: int, limit: int | None) -> int:
    """`size`, or the limit where that is less."""
    return size if limit is None else min(size, limit)


def stub(text: str) -> str:
    """The one line that takes the place of an output; a stub stays as it is."""
    if _STUB.fullmatch(text):
        return text
    number = len(text.splitlines())
    return f"[{number} {'line' if number == 1 else 'lines'} left out]"


def stub_results(group: Group) -> Group:
    """A group whose tool results are stubs, the calls in place."""
    return [{**m, "content": stub(content_text(m))} if m["role"] == "tool" else m for m in group]


def shorten_results(messages: Iterable[Message], chars: int) -> list[Message]:
    """Messages with every tool result cut to its first `chars` characters."""
    return [
        {**m, "content": shorten(content_text(m), chars)} if m["role"] == "tool" else m
        for m in messages
    ]


def shorten(text: str, chars: int) -> str:
    """The beginning of a text, and a line that says how much is left out."""
    if len(text) <= chars:
        return text
    return f"{text[:chars]}\n[{len(text) - chars} characters left out]"


def opened(history: Sequence[Message], kept: Iterable[Group]) -> list[Message]:
    """System prompt and kept groups; a user message comes first, ours where none of theirs does."""
    messages = flat(kept)
    if messages and messages[0]["role"] == "user":
        return [*system_of(history), *messages]
    chinese = is_chinese("\n".join(content_text(m) for m in history if m["role"] == "user"))
    note = LEFT_OUT["zh" if chinese else "en"]
    return [*system_of(history), carried_message([("note", note)], history), *messages]


def mask(
    kept: Sequence[Group], last: int, masked: Callable[[str], bool] = lambda tool: True
) -> list[Group]:
    """Groups with all but the `last` results stubbed, of the tools for which `masked` is true."""
    names = {c["id"]: c["function"]["name"] for m in flat(kept) for c in m.get("tool_calls") or []}
    results = [m["tool_call_id"] for m in flat(kept) if m["role"] == "tool"]
    results = [each for each in results if masked(names[each])]
    old = set(results[: max(0, len(results) - last)])
    return [
        [
            {**m, "content": stub(content_text(m))} if m.get("tool_call_id") in old else m
            for m in group
        ]
        for group in kept
    ]


def calls(history: Sequence[Message]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Tool calls in order: name, arguments (empty where they are no JSON object), result."""
    results = {m["tool_call_id"]: content_text(m) for m in history if m["role"] == "tool"}
    for message in history:
        for call in message.get("tool_calls") or []:
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            try:
                given = json.loads(arguments) if isinstance(arguments, str) else arguments
            except ValueError:
                given = {}
            yield name, given if isinstance(given, dict) else {}, results.get(call["id"], "")
