"""Token counts that need no network: o200k, for budgets and triggers, not for billing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any

from harness.types import Message

PART_TOKENS = 1000
"""About what a large image costs: models scale images down to one or two thousand tokens."""

_CHUNK = 100_000  # characters; the tokenizer refuses inputs of several MB


@lru_cache(maxsize=1)
def _encoder() -> Any:
    # The package's own import decodes three vocabularies in Python, for half a second and 75 MB;
    # to count, its extension alone is enough.
    package = find_spec("bpe_openai")
    places = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("bpe_openai._bindings", places)
    if spec is None or spec.loader is None:
        raise ImportError("bpe-openai has no _bindings; expected a version 0.1 (make setup)")
    bindings = module_from_spec(spec)
    spec.loader.exec_module(bindings)
    return bindings.tokenizer_for_encoding("o200k_base")


@lru_cache(maxsize=4096)  # the texts of the trials at work; it holds them whole, so not more
def count(text: str) -> int:
    """Tokens of a text."""
    encoder = _encoder()
    parts = [text[start : start + _CHUNK] for start in range(0, len(text), _CHUNK)]
    try:
        return sum(encoder.count(part) for part in parts)
    except UnicodeEncodeError:  # half a surrogate pair, say from a file name
        return count(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def count_message(message: Message) -> int:
    """Tokens of a chat message: content, tool calls, and four for the frame around it.

    A part of the content that is no text (an image, a file) counts PART_TOKENS, whatever its size.
    """
    content = message.get("content") or ""
    parts = [{"text": content}] if isinstance(content, str) else content
    total = sum(count(p["text"]) if isinstance(p.get("text"), str) else PART_TOKENS for p in parts)
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
