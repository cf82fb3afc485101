"""Token counts that need no network: o200k, for budgets and triggers, not for billing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from harness.types import Message

_CHUNK = 100_000  # characters; the tokenizer refuses inputs of several MB


@lru_cache(maxsize=1)
def _encoder() -> Any:
    import bpe_openai

    return bpe_openai.get_encoding("o200k_base")


@lru_cache(maxsize=4096)  # the texts of the trials at work; it holds them whole, so not more
def count(text: str) -> int:
    """Tokens of a text."""
    encoder = _encoder()
    parts = range(0, len(text), _CHUNK)
    return sum(len(encoder.encode_ordinary(text[start : start + _CHUNK])) for start in parts)


def count_message(message: Message) -> int:
    """Tokens of a chat message: content, tool calls, and four for the frame around it."""
    content = message.get("content") or ""
    total = count(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False))
    for call in message.get("tool_calls") or []:
        total += count(call["function"]["name"]) + count(str(call["function"]["arguments"]))
    return total + 4


def count_view(messages: Iterable[Message]) -> int:
    """Tokens of a list of messages."""
    return sum(count_message(message) for message in messages)


def cut(text: str, budget: int) -> str:
    """The longest beginning of a text that has at most `budget` tokens."""
    if count(text) <= budget:
        return text
    low, high = 0, min(len(text), budget * 16)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= budget else (low, middle - 1)
    return text[:low].rstrip("\n")
