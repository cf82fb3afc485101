"""Naming, environment facts and decisions with their reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from harness.extract import lex_rules as lr
from harness.extract import lex_work as lw
from harness.extract.events import Event
from harness.extract.paths import PATH
from harness.extract.speech import (
    FIRM,
    Sentence,
    environment,
    is_question,
    is_reported,
    key,
    polarity,
    tokens,
    trim,
)
from harness.extract.taken_back import recent, taken_back

_BAD_NAME = re.compile(r"^`[^`]*[ /=][^`]*`$")
_NAMES_ONE = re.compile(rf"{FIRM.pattern}|[\u4e00-\u9fff]\s?[A-Za-z]{{3}}")
_FULL = 3
"""Content words from which a clause can be a reason, and a sentence stand alone."""


@dataclass(frozen=True)
class _Note:
    text: str
    at: int
    words: frozenset[str]
    source: str


@dataclass
class Notes:
    """Distinct texts in order of first mention."""

    held: dict[str, _Note] = field(default_factory=dict)

    def add(self, text: str, at: int) -> None:
        text = trim(text)
        name = key(text)
        if name and name not in self.held:
            self.held[name] = _Note(text, at, tokens(text), text)

    def revoke(self, event: Event, sentences: list[Sentence]) -> None:
        """Forget what the `sentences` of a speech take back."""
        for note in taken_back(recent(self.held), event, sentences):
            self.held.pop(key(note.text), None)

    def all(self) -> tuple[str, ...]:
        return tuple(n.text for n in self.held.values())


def name_in(sentence: Sentence, user: bool) -> str:
    """The text that gives a name, or (from the user) a rule for names; "" where none does.

    Of an item of work it is only the clause that names: the item itself is a sub-goal.
    """
    if sentence.part != "work":
        return sentence.text if _gives_name(sentence.text, sentence.low, user) else ""
    return "".join(t for t, low in sentence.clauses if lw.NAMED.search(low))


def _gives_name(text: str, low: str, user: bool) -> bool:
    if user and (lw.NAME_STYLE.search(low) or lw.NAMED.search(low)):
        return True
    bare = PATH.sub(lambda m: " " * len(m.group()), text)
    for match in lw.IDENT.finditer(bare):
        before = low[max(0, match.start() - 60) : match.start()]
        if not _BAD_NAME.match(match.group()) and lw.NAMES.search(before):
            return True
    return bool(lw.NAME_CUE.search(low)) and bool(lw.IDENT.search(bare))


def gives_environment(sentence: Sentence, user: bool) -> bool:
    """Does the sentence state a port, version, command, place or machine?"""
    if sentence.part in ("work", "head"):
        return False
    found = user and lw.ENV_NAMED.search(sentence.text)
    found = found or (_NAMES_ONE.search(sentence.text) and environment(sentence.low))
    return bool(found) and not is_reported(sentence.low)


def decisions_in(event: Event, offer: str) -> list[str]:
    """Choices and refusals, each with its reason.

    `offer` is the proposal that the speech answers; a refusal without it would name nothing.
    """
    parts = [s for s in event.sentences if s.part not in ("work", "head")]
    own = [i for i, s in enumerate(parts) if _chooses(s, event.kind == "user")]
    out: list[str] = []
    used = -1
    for i in own:
        span = _reasoned(parts, i, used, own)
        if span:
            out.append(" ".join(s.text for s in parts[span[0] : span[1] + 1]))
            used = span[1]
    if offer and parts and lr.REFUSAL.search(parts[0].low):
        first = out.pop(0) if out and parts[0].text in out[0] else _answer(parts, offer)
        out.insert(0, f"{offer} {first}")
    return out


def _answer(parts: list[Sentence], offer: str) -> str:
    """The refusal itself, with the next sentence where it is a bare no."""
    bare = len(tokens(parts[0].text)) < _FULL
    return " ".join(s.text for s in parts[: 2 if bare else 1])


def _chooses(sentence: Sentence, user: bool) -> bool:
    low = sentence.low
    if is_question(low):
        return False
    return bool(lw.REJECTS.search(low) or (user and lw.CHOICE.search(low)))


def _reasoned(parts: list[Sentence], i: int, used: int, own: list[int]) -> tuple[int, int] | None:
    """First and last sentence of the decision in sentence i: itself, or with one neighbour."""
    low = parts[i].low
    alone = len(tokens(parts[i].text)) > 1
    if alone and (lw.REASON.search(low) or _explained(parts[i])):
        return i, i
    for j in (i - 1, i + 1):
        if used < j < len(parts) and j not in own and lw.REASON.search(parts[j].low):
            return min(i, j), max(i, j)
    return (i, i) if lw.ACCEPTED.search(low) else None


def _explained(sentence: Sentence) -> bool:
    """A choice beside a clause that neither chooses nor prescribes: that clause is the reason."""
    return any(
        len(tokens(low)) >= _FULL and not polarity(low.strip()) and not lw.CHOICE.search(low)
        for _, low in sentence.clauses
    )
