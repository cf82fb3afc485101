"""The extractive summariser: central sentences of a history, within a budget. Not a language model.

Opening of the first request, last thing done, then sentences by centrality: the cosine of their
character trigrams with the whole (so that Chinese works), as in centroid-based summarisation
(Radev et al. 2004). What is said once and in few words is rarely central; that is the point.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from harness import tokens
from harness.evidence import speech
from harness.text import content_text, split_carried, units
from harness.types import Message

_ARGUMENTS = ("path", "command", "question", "message")


def summarise(messages: Sequence[Message], budget: int) -> str:
    """Summary of a history of chat messages in at most `budget` tokens, in order of mention."""
    sentences = [unit for message in messages for unit in _prose(message)]
    if not sentences:
        return ""
    opening = _opening(messages) or sentences[0]
    profiles = [_profile(sentence) for sentence in sentences]
    centroid: Counter[str] = Counter()
    for profile in profiles:
        centroid.update(profile)
    squares = _squares(centroid)
    scores = [_cosine(profile, centroid, squares) for profile in profiles]
    ranked = sorted(range(len(sentences)), key=lambda i: (-scores[i], i))
    order = [sentences.index(opening), len(sentences) - 1, *ranked]
    return "\n".join(_take(sentences, order, budget))


def _opening(messages: Sequence[Message]) -> str | None:
    """First sentence of the first request; once that is gone, of the summary that replaced it."""
    first = next((m for m in messages if m["role"] == "user"), None)
    if first is None:
        return None
    summaries = [text for kind, text in split_carried(content_text(first)) if kind == "summary"]
    return next(iter(units(summaries[0]) if summaries else _prose(first)), None)


def _take(sentences: Sequence[str], order: Sequence[int], budget: int) -> list[str]:
    """Sentences in the given order of preference while they fit; none twice; as first mentioned."""
    taken: set[int] = set()
    seen: set[str] = set()
    used = 0
    for index in order:
        cost = tokens.count(sentences[index]) + 1
        if sentences[index] in seen or used + cost > budget:
            continue
        seen.add(sentences[index])
        taken.add(index)
        used += cost
    return [sentences[index] for index in sorted(taken)]


def _prose(message: Message) -> list[str]:
    """What is said, and calls as one line each; tool output and the system prompt are left out."""
    if message["role"] == "system":
        return []
    lines = [unit for unit, _own in speech(message)]
    for call in message.get("tool_calls") or []:
        function = call["function"]
        try:
            arguments = json.loads(function["arguments"])
        except ValueError:
            arguments = None
        given = arguments if isinstance(arguments, dict) else {}
        shown = [str(given[key]) for key in _ARGUMENTS if key in given]
        lines.append(" ".join([function["name"], *shown])[:200])
    return lines


@lru_cache(maxsize=8192)
def _profile(sentence: str) -> Counter[str]:
    text = sentence.lower()
    return Counter(text[i : i + 3] for i in range(max(1, len(text) - 2)))


def _squares(profile: Counter[str]) -> int:
    return sum(value * value for value in profile.values())


def _cosine(one: Counter[str], whole: Counter[str], squares: int) -> float:
    """Likeness of a sentence to the whole, of which `squares` is the sum of squares."""
    dot = sum(value * whole[key] for key, value in one.items())
    norm = math.sqrt(_squares(one) * squares)
    return dot / norm if norm else 0.0
