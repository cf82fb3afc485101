"""Naming, environment facts and decisions with their reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from harness.extract import lex_rules as lr
from harness.extract import lex_work as lw
from harness.extract.events import Event
from harness.extract.paths import PATH
from harness.extract.rules import taken_back
from harness.extract.speech import Sentence, clauses, is_question, key, polarity, tokens, trim

_BAD_NAME = re.compile(r"^`[^`]*[ /=][^`]*`$")


@dataclass(frozen=True)
class _Note:
    text: str
    at: int
    words: frozenset[str]


@dataclass
class Notes:
    """Distinct texts in order of first mention."""

    held: list[_Note] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, text: str, at: int) -> None:
        text = trim(text)
        name = key(text)
        if name and name not in self.seen:
            self.seen.add(name)
            self.held.append(_Note(text, at, tokens(text)))

    def revoke(self, event: Event) -> None:
        """Forget what a speech of the user takes back."""
        gone = {id(n) for n in taken_back(self.held, event)}
        if gone:
            self.held = [n for n in self.held if id(n) not in gone]

    def all(self) -> tuple[str, ...]:
        return tuple(n.text for n in self.held)


def gives_name(sentence: Sentence, user: bool) -> bool:
    """Does the sentence give a name, or a rule for names?"""
    if is_question(sentence.low) or lr.HYPOTHETICAL.search(sentence.low):
        return False
    if user and lw.NAME_STYLE.search(sentence.low):
        return True
    bare = PATH.sub(" ", sentence.text)
    if not any(not _BAD_NAME.match(m.group()) for m in lw.IDENT.finditer(bare)):
        return False
    if lw.NAME_CUE.search(sentence.low):
        return True
    return user and bool(lw.NAME_NEW.search(sentence.low))


def gives_environment(sentence: Sentence) -> bool:
    """Does the sentence state a port, version, command, place or machine?"""
    if is_question(sentence.low) or lr.HYPOTHETICAL.search(sentence.low):
        return False
    return bool(lw.ENV.search(sentence.low) or lw.ENV_NAMED.search(sentence.text))


def decisions_in(event: Event, offer: str) -> list[str]:
    """Choices and refusals of the user, each with its reason.

    `offer` is the proposal that the speech answers; a refusal without it would name nothing.
    """
    parts = event.sentences
    out: list[str] = []
    used = -1
    if offer and parts and _answers(parts):
        used = min(len(parts), 3) - 1
        out.append(" ".join([offer, *(s.text for s in parts[: used + 1])]))
    for i, sentence in enumerate(parts):
        if i <= used:
            continue
        span = _reasoned(parts, i, used)
        if span:
            out.append(" ".join(s.text for s in parts[span[0] : span[1] + 1]))
            used = span[1]
    return out


def _answers(parts: tuple[Sentence, ...]) -> bool:
    head = parts[0].low
    if lr.REFUSAL.search(head) or lw.ACCEPTED.search(head):
        return True
    return len(parts) <= 3 and any(lw.CHOICE.search(s.low) for s in parts)


def _reasoned(parts: tuple[Sentence, ...], i: int, used: int) -> tuple[int, int] | None:
    """First and last sentence of the decision in sentence i, if there is one."""
    low = parts[i].low
    if not lw.CHOICE.search(low) and not lw.ACCEPTED.search(low):
        return None
    if is_question(low) and len(parts) == 1:
        return None
    if lr.REVOKE_BARE.search(low):
        return max(used + 1, i - 2), min(i + 1, len(parts) - 1)
    if lw.REASON.search(low) or _explained(parts[i]):
        return i, i
    if i + 1 < len(parts) and lw.REASON.search(parts[i + 1].low):
        return i, i + 1
    if i - 1 > used and lw.REASON.search(parts[i - 1].low):
        return i - 1, i
    return (i, i) if lw.ACCEPTED.search(low) else None


def _explained(sentence: Sentence) -> bool:
    """A prohibition followed by a clause that prescribes nothing: that clause is the reason."""
    marks = [polarity(low.strip()) for _, low in clauses(sentence)]
    return len(marks) > 1 and marks[-1] is None and "must_not" in marks[:-1]
