"""What the user takes back of the things said before."""

from __future__ import annotations

import itertools
from typing import Protocol, TypeVar

from harness.extract import lex_rules as lx
from harness.extract.events import Event
from harness.extract.speech import Sentence, is_question, tokens

LOOKBACK = 32
"""How many items back a new one is compared with; bounds the cost on very long histories."""


class Spoken(Protocol):
    """Something said in message `at`, with its content words."""

    at: int
    words: frozenset[str]
    source: str


S = TypeVar("S", bound=Spoken)


def recent(items: dict[str, S]) -> list[S]:
    """The last items, oldest first."""
    return list(itertools.islice(reversed(items.values()), LOOKBACK))[::-1]


def revoking(event: Event) -> list[Sentence]:
    """The sentences of a speech that may take something back."""
    return [s for s in event.sentences if lx.REVOKE.search(s.low) and not is_question(s.low)]


def taken_back(items: list[S], event: Event, sentences: list[Sentence]) -> list[S]:
    """Those of the items said before that the `sentences` of a speech revoke."""
    old = [h for h in items if h.at < event.at]
    gone: list[S] = []
    for sentence in sentences if old else ():
        words = tokens(sentence.text)
        near = [(len(h.words & words) / max(1, len(h.words)), h) for h in old]
        best = max(share for share, _ in near)
        hit = [h for share, h in near if share == best][-1:] if best >= 0.3 else []
        if not hit and lx.REVOKE_BARE.search(sentence.low):
            words = frozenset().union(*(tokens(s.text) for s in event.sentences))
            last = max(reversed(old), key=lambda h: len(h.words & words))
            if last.at == event.before or last.words & words:
                hit = [h for h in old if h.at == last.at and h.source == last.source]
        gone += hit
    return gone
