"""Words of a sentence as they are compared: stems, short forms written out, Chinese in pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import log

LETTERS = 8
"""Letters of a stem: they tell words apart and let their forms meet."""

_PIECE = re.compile(r"\d+(?:\.\d+)+|[a-z0-9]+|[\u4e00-\u9fff]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ENDING = re.compile(r"(?:ations?|ments?|ings?|ies|ied|ed|es|ers?|or|ly|s|e|y)$")
_STOP = frozenset(
    re.findall(
        r"\w+",
        """
        a an and or but the this that these those it its is are was were be been being am to of
        in on at by for from with as into out up down over so then than too very just also only
        even still i you we they he she me my your our their us them do does did done don t s ll
        ve re d m not no nor any all some each every both which who what when where why how if
        else can could should would will shall may might must have has had get got let lets
        please ok okay yes yeah well here there now again new use used using make made go going
        need needs want like think basically one two user asked said anything everything
        something nothing else thing things stuff shit shitty crap alright btw imo fine good
        great nice really actually maybe probably sure right
        """,
    )
)
_LONG = {
    "doc": "document",
    "config": "configur",
    "repo": "repositor",
    "dir": "director",
    "env": "environ",
    "auth": "authentic",
    "param": "paramet",
    "func": "function",
    "impl": "implement",
    "msg": "messag",
    "pkg": "packag",
    "dep": "depend",
    "temp": "temporar",
    "db": "databas",
    "app": "applic",
    "info": "inform",
    "lib": "librar",
    "arg": "argument",
    "ref": "referenc",
    "max": "maximum",
    "min": "minimum",
}
"""Short forms that programmers write, by stem, with the stem of the word they stand for."""


class Rarity:
    """How much each word tells: one that is in every sentence tells little."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.holders: Counter[str] = Counter()
        self.count = 0
        for sentence in sentences:
            self.holders.update(stems(sentence))
            self.count += 1

    def weight(self, words: Iterable[str]) -> float:
        """Summed inverse document frequency."""
        return sum(log(2 + self.count / (1 + self.holders[word])) for word in words)


@lru_cache(maxsize=65536)
def stems(text: str) -> frozenset[str]:
    """The words of a text that carry meaning."""
    found: set[str] = set()
    for piece in _PIECE.findall(_CAMEL.sub(" ", text).lower()):
        if piece[0] >= "\u4e00":
            found.update(piece[at : at + 2] for at in range(len(piece) - 1) or (0,))
        elif piece not in _STOP:
            found.add(_stem(piece))
    return frozenset(found)


def _stem(word: str) -> str:
    if word.isdigit() or len(word) < 4:
        stem = word
    else:
        cut = _ENDING.sub("", word)
        stem = cut if len(cut) >= 3 else word
    return _LONG.get(stem, stem)[:LETTERS]
