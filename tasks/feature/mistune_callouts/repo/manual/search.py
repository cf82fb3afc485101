"""Which pages speak of a word, the best one first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from manual.parser import Token, flat, tokens


def weight(token: Token) -> int:
    """What a word counts in a block."""
    if token["type"] == "heading":
        return 3
    return 1


def search(word: str, pages: Mapping[str, str]) -> list[str]:
    """Names of pages by what their blocks with the word count together."""
    scores: Counter[str] = Counter()
    for name, text in pages.items():
        for token in tokens(text):
            if word.lower() in flat(token).lower():
                scores[name] += weight(token)
    return [name for name, _ in scores.most_common()]
