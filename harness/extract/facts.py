"""Naming, environment facts and decisions with their reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from harness.extract import lex_rules as lr
from harness.extract import lex_work as lw
from harness.extract.events import Event
from harness.extract.paths import PATH
from harness.extract.rules import recent, taken_back
from harness.extract.speech import Sentence, environment, is_question, key, polarity, tokens, trim

_BAD_NAME = re.compile(r"^`[^`]*[ /=][^`]*`$")


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


def gives_name(sentence: Sentence, user: bool) -> bool:
    """Does the sentence give a name, or (from the user) a rule for names?"""
    if user and (lw.NAME_STYLE.search(sentence.low) or lw.NAMED.search(sentence.low)):
        return True
    bare = PATH.sub(" ", sentence.text)
    if not any(not _BAD_NAME.match(m.group()) for m in lw.IDENT.finditer(bare)):
        return False
    if lw.NAME_CUE.search(sentence.low):
        return True
    return user and bool(lw.NAME_NEW.search(sentence.low))


def gives_environment(sentence: Sentence) -> bool:
    """Does the sentence state a port, version, command, place or machine?"""
    return bool(environment(sentence.low) or lw.ENV_NAMED.search(sentence.text))


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
    for i in range(len(parts)):
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
    rule = any(polarity(c.strip()) for _, c in parts[i].clauses)
    if not rule and not lw.CHOICE.search(low) and not lw.ACCEPTED.search(low):
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
    marks = [polarity(low.strip()) for _, low in sentence.clauses]
    return len(marks) > 1 and marks[-1] is None and "must_not" in marks[:-1]
