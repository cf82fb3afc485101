"""Constraints: the user's standing rules, the newest winning over what it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from harness.extract import lex_aside as la
from harness.extract import lex_rules as lx
from harness.extract import lex_work as lw
from harness.extract.events import Event
from harness.extract.paths import PATH
from harness.extract.speech import (
    FIRM,
    GAP,
    REFERS,
    Sentence,
    announces,
    concise,
    environment,
    in_passing,
    is_question,
    is_reported,
    key,
    polarity,
    tokens,
)
from harness.extract.taken_back import recent, taken_back
from harness.types import Rule

_NUMBER = re.compile(
    r"\d+(?:\.\d+)?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b"
    r"|[一二两三四五六七八九十]+(?=[个条次秒分小天位页行档层步])"
)
_UNIT = re.compile(r"\d\s*([a-z%]+|[\u4e00-\u9fff])")
_NOT_B = re.compile(
    r"\s*(?:and )?(?:not(?! yet)|rather|instead)\b|\s*而?不(?:是|叫|写[成作])|\s*而非"
)
"""A, not B: the second half only sharpens the first."""
_ASIDE = re.compile(r"\s*(?:although|though|even if|because|since|虽然|尽管)")
_THEY = re.compile(r"\W*(?:they|it|he|she)\b(?!'d| would)")
_FOREIGN = re.compile(r"[\u4e00-\u9fff].*[a-z]{3}|\(\)|`")
"""A short clause that names a thing of its own."""
_THIN = 2
"""A clause with fewer content words than this needs what stands before it to be understood."""
_SHORT = 4
"""So does one with a pronoun and no more content words than this."""
_PLAIN = 3
"""Content words that a statement without any cue of a rule must have."""


@dataclass(frozen=True)
class _Held:
    rule: Rule
    at: int
    words: frozenset[str]
    source: str
    numbers: frozenset[str]
    units: frozenset[str]
    changes: bool


def _held(rule: Rule, at: int, source: str) -> _Held:
    low = rule.text.lower()
    numbers = frozenset(_NUMBER.findall(low))
    units = frozenset(_UNIT.findall(low))
    words = tokens(rule.text)
    return _Held(rule, at, words, source, numbers, units, bool(lx.REVOKE.search(low)))


@dataclass
class _Run:
    """Neighbouring clauses of one polarity; `low` leaves out what only lends its subject."""

    mark: str | None
    text: str
    low: str


@dataclass
class RuleBook:
    """Rules in force, in order of first mention."""

    held: dict[str, _Held] = field(default_factory=dict)
    revoked: set[str] = field(default_factory=set)
    opening: int | None = None

    def rules(self) -> tuple[Rule, ...]:
        return tuple(h.rule for h in self.held.values())

    def carry(self, rules: Iterable[Rule], at: int) -> None:
        """Take over a card's rules, except what has been revoked since."""
        for rule in rules:
            if key(rule.text) not in self.revoked:
                self._add(rule, at, rule.text)

    def revoke(self, event: Event, sentences: list[Sentence]) -> None:
        """Forget the rules that the `sentences` of a speech take back."""
        self._drop(taken_back(recent(self.held), event, sentences))

    def lift(self, event: Event) -> None:
        """Forget the rules that only held until the user's word to go ahead."""
        if any(lx.GO_AHEAD.search(s.low) for s in event.sentences):
            self._drop([h for h in recent(self.held) if lx.HOLD.search(h.rule.text.lower())])

    def hear(self, event: Event, kept: list[Sentence]) -> set[str]:
        """Read one speech of the user; `kept` are the sentences of it that may be rules.

        Gives back the texts of those that are.
        """
        self.opening = event.at if self.opening is None else self.opening
        self.lift(event)
        ruled: set[str] = set()
        for sentence in kept:
            for rule in rules_in(sentence, event.at == self.opening):
                self._add(rule, event.at, sentence.text)
                ruled.add(sentence.text)
        return ruled

    def _drop(self, gone: list[_Held]) -> None:
        for item in gone:
            self.held.pop(key(item.rule.text), None)
            self.revoked.add(key(item.rule.text))

    def _add(self, rule: Rule, at: int, source: str) -> None:
        name = key(rule.text)
        if name in self.held:
            return
        new = _held(rule, at, source)
        self._drop([h for h in recent(self.held) if h.at < at and _replaces(new, h)])
        self.revoked.discard(name)
        self.held[name] = new


def standing(sentences: tuple[Sentence, ...]) -> list[Sentence]:
    """The sentences that may be rules: no question, hypothesis or withdrawn thought."""
    out: list[Sentence] = []
    before: Sentence | None = None
    for sentence in sentences:
        low = sentence.low
        withdrawn = la.CANCELS.search(low) or (
            before and la.CONDITION.search(before.low) and la.NOT_THE_CASE.search(low)
        )
        if withdrawn and out and out[-1] is before:
            out.pop()
        aside = in_passing(low) or (withdrawn and (not polarity(low) or len(tokens(low)) <= _PLAIN))
        if not aside and asserted(sentence):
            out.append(sentence)
        before = sentence
    return out


def asserted(sentence: Sentence) -> bool:
    """Is it neither asked nor supposed?"""
    low = sentence.low
    supposed = la.HYPOTHETICAL.search(low) or la.MUSING.search(sentence.clauses[0][1])
    return not supposed and not is_question(low)


def rules_in(sentence: Sentence, opening: bool = False) -> list[Rule]:
    """The rules of one sentence: neighbouring clauses of one polarity make one rule.

    `opening`: the sentence is of the first message, where a request sets the task.
    """
    if sentence.part in ("work", "head"):
        return []
    runs: list[_Run] = []
    for text, low in sentence.clauses:
        _append(runs, polarity(low.strip()), text, low)
    only = runs[0] if len(runs) == 1 else None
    if only and lx.BAN_INDIRECT.search(only.low) and not lx.DUTY.search(only.low):
        only.mark = "must_not"
    found = [r for run in runs if (r := _rule(sentence, run, opening))]
    return [] if not found or announces(sentence.low) or is_reported(sentence.low) else found


def _append(runs: list[_Run], mark: str | None, text: str, low: str) -> None:
    """Add a clause to the last run, or begin a new one.

    A clause that is nothing without the one before takes it in, and gives the run its polarity.
    """
    last = runs[-1] if runs else None
    if last is None:
        runs.append(_Run(mark, text, low))
        return
    contrast = mark and last.mark in (None, "must") and _NOT_B.match(low)
    apart = mark and last.mark and mark != last.mark and not contrast and not _ASIDE.match(low)
    if apart and not _leans(low):
        runs.append(_Run(mark, text, low))
        return
    if contrast:
        last.mark = "must"
    elif apart:
        last.mark = "must_not"
    else:
        last.mark = last.mark or mark
    last.text += text
    last.low += low


def _leans(low: str) -> bool:
    size = len(tokens(low))
    if size < _THIN:
        return not _FOREIGN.search(low)
    return size <= _SHORT and bool(REFERS.search(low))


def _rule(sentence: Sentence, run: _Run, opening: bool) -> Rule | None:
    mark, low = run.mark, run.low
    if mark is None and (sentence.part == "rule" or _demands(low, opening)):
        mark = "must"
    text = concise(run.text, low)
    if mark is None or not tokens(text):
        return None
    plain = mark == "must" and sentence.part != "rule" and not lx.DUTY.search(low)
    if plain and _tells(text, low, opening):
        return None
    return Rule(text, "must_not" if mark == "must_not" else "must")


def _tells(text: str, low: str, opening: bool) -> bool:
    """Without a plain word of duty: is it news or a request for once?"""
    if la.NARRATIVE.search(low):
        return True
    asked = opening and lw.ASKED.search(low)
    thin = len(tokens(PATH.sub(" ", text))) < _THIN
    if (asked or thin) and not lx.LIMIT.search(low):
        return True
    return bool(_THEY.match(low)) and not FIRM.search(text)


def _demands(low: str, opening: bool) -> bool:
    """A plain statement that can only be meant as a demand: no news, no request, no praise."""
    fact = environment(low)
    if any(c.search(low) for c in (la.MUSING, la.BECAUSE, la.DISMISSED)):
        return False
    if GAP in low or (fact and re.search(r"[\d/]", fact.group())):
        return False
    if lx.SPEC.search(low):
        return True
    bare = re.sub(r"\b(?:please|plz|pls|kindly)\b", " ", low)
    asks = lw.REQUEST if opening else lw.NEW_WORK
    if asks.search(bare) or la.NEWS.search(low) or la.NARRATIVE.search(low):
        return False
    if low.isascii() and not lx.TELLS.search(bare):
        return False
    return len(tokens(PATH.sub(" ", low))) >= _PLAIN


def _replaces(new: _Held, old: _Held) -> bool:
    """Same subject with another number, or the opposite of what was said."""
    same_unit = not new.units.isdisjoint(old.units)
    # A sentence that names the old number beside a new one changes it too.
    other = bool(old.numbers and new.numbers - old.numbers) and (
        new.numbers.isdisjoint(old.numbers) or old.numbers < new.numbers
    )
    if other and same_unit and new.changes:
        return True
    common = (new.words & old.words) - new.numbers
    if not common:
        return False
    share = len(common) / min(len(new.words - new.numbers), len(old.words - old.numbers))
    if other:
        return share >= (0.4 if same_unit else 0.5)
    return share >= 0.75 and new.rule.polarity != old.rule.polarity
