"""Constraints: the user's standing rules, the newest winning over what it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from harness.extract import lex_rules as lx
from harness.extract import lex_work as lw
from harness.extract.events import Event
from harness.extract.paths import PATH
from harness.extract.speech import (
    GAP,
    Sentence,
    clauses,
    is_question,
    is_reported,
    key,
    polarity,
    tokens,
    trim,
)
from harness.types import Rule

LOOKBACK = 200
"""How many items back a new one is compared with; bounds the cost on very long histories."""

_NUMBER = re.compile(
    r"\d+(?:\.\d+)?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b"
    r"|[一二两三四五六七八九十]+(?=[个条次秒分小天位页行档层步])"
)
_UNIT = re.compile(r"\d\s*([a-z%]+|[\u4e00-\u9fff])")
_LEANS = re.compile(
    r"\s*(?:and |or |[也都您你])*(?:(?:must|should|may|can|never|always|has|is|are|not|no longer)\b"
    r"|不(?![要准许])|[只仅])"
)
"""Opens a clause that takes its subject from the one before."""
_THIN = 3
"""A clause with fewer content words than this needs what stands before it to be understood."""
_PLAIN = 3
"""Content words that a statement without any cue of a rule must have."""


class Spoken(Protocol):
    """Something said in message `at`, with its content words."""

    at: int
    words: frozenset[str]


S = TypeVar("S", bound=Spoken)


@dataclass(frozen=True)
class _Held:
    rule: Rule
    at: int
    words: frozenset[str]
    hold: bool


@dataclass
class RuleBook:
    """Rules in force, in order of first mention."""

    held: list[_Held] = field(default_factory=list)
    revoked: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def rules(self) -> tuple[Rule, ...]:
        return tuple(h.rule for h in self.held)

    def carry(self, rules: Iterable[Rule], at: int) -> None:
        """Take over a card's rules, except what has been revoked since."""
        for rule in rules:
            if key(rule.text) not in self.revoked:
                self._add(rule, at)

    def hear(self, event: Event, kept: list[Sentence]) -> None:
        """Read one speech of the user; `kept` are the sentences of it that may be rules."""
        if any(lx.GO_AHEAD.search(s.low) for s in event.sentences):
            self._drop([h for h in self.held if h.hold])
        self._drop(taken_back(self.held, event))
        for sentence in kept:
            for rule in rules_in(sentence):
                self._add(rule, event.at)

    def _drop(self, gone: list[_Held]) -> None:
        if gone:
            ids = {id(h) for h in gone}
            self.held = [h for h in self.held if id(h) not in ids]
            self.revoked |= {key(h.rule.text) for h in gone}
            self.seen -= {key(h.rule.text) for h in gone}

    def _add(self, rule: Rule, at: int) -> None:
        name = key(rule.text)
        if name in self.seen:
            return
        words = tokens(rule.text)
        self._drop([h for h in self.held[-LOOKBACK:] if h.at < at and _replaces(rule, words, h)])
        self.seen.add(name)
        self.revoked.discard(name)
        self.held.append(_Held(rule, at, words, bool(lx.HOLD.search(rule.text.lower()))))


def standing(sentences: tuple[Sentence, ...]) -> list[Sentence]:
    """The sentences that may be rules: no question, hypothesis or withdrawn thought."""
    out: list[Sentence] = []
    kept = False
    before: Sentence | None = None
    for sentence in sentences:
        low = sentence.low
        withdrawn = lx.CANCELS.search(low) or (
            before and lx.CONDITION.search(before.low) and lx.NOT_THE_CASE.search(low)
        )
        if withdrawn and kept:
            out.pop()
        part = _asserted(sentence)
        kept = part is not None
        if part:
            out.append(part)
        before = sentence
    return out


def _asserted(sentence: Sentence) -> Sentence | None:
    """The part of a sentence that is neither asked nor supposed."""
    low = sentence.low
    if lx.HYPOTHETICAL.search(low):
        return None
    parts = clauses(sentence)
    if lx.MUSING.search(parts[0][1]):
        return None
    if not is_question(low):
        return sentence
    head = low[: -len(parts[-1][1])]
    asked_before = lx.CONDITION.search(head) or lx.ASKING.search(head) or lx.QUESTION.search(head)
    if len(tokens(parts[-1][1])) < _THIN or not head or asked_before:
        return None
    return replace(sentence, text=sentence.text[: len(head)], low=head)


def rules_in(sentence: Sentence) -> list[Rule]:
    """The rules of one sentence: neighbouring clauses of one polarity make one rule."""
    reported = is_reported(sentence.low)
    runs: list[tuple[str | None, str, str]] = []
    for text, low in clauses(sentence):
        if GAP in low:
            text = _without_quotes(text, low)
        if reported and not sentence.quoted and lx.REPORTED.search(low):
            break
        if reported and (GAP in low or lx.REPORTED.search(low)):
            continue
        mark = polarity(low.strip())
        if runs and (mark is None or runs[-1][0] in (None, mark) or _contrast(runs[-1], low)):
            last = runs[-1]
            runs[-1] = (last[0] or mark, last[1] + text, last[2] + low)
        elif runs and (len(tokens(low)) < _THIN or _LEANS.match(low)):
            runs.append((mark, runs[-1][1] + text, low))
        else:
            runs.append((mark, text, low))
    if len(runs) == 1 and runs[0][0] in (None, "must") and lx.BAN_INDIRECT.search(runs[0][2]):
        if runs[0][0] is None or not lx.DUTY.search(runs[0][2]):
            runs = [("must_not", *runs[0][1:])]
    return [rule for run in runs if (rule := _rule(sentence, *run))]


def _rule(sentence: Sentence, mark: str | None, text: str, low: str) -> Rule | None:
    if mark is None and (sentence.in_rules or _demands(low)):
        mark = "must"
    text = trim(text)
    if mark is None or not tokens(text):
        return None
    if mark == "must" and lx.NARRATIVE.search(low) and not lx.DUTY.search(low):
        return None
    return Rule(text, "must_not" if mark == "must_not" else "must")


def _demands(low: str) -> bool:
    """A plain statement that can only be meant as a demand: no news, no request, no praise."""
    fact = lw.ENV.search(low)
    if any(c.search(low) for c in (lx.ASKING, lx.MUSING, lx.BECAUSE, lx.DISMISSED)):
        return False
    if lx.SEQUENCE.search(low):
        return True
    if GAP in low or (fact and re.search(r"[\d/]", fact.group())):
        return False
    if lx.SPEC.search(low):
        return True
    bare = re.sub(r"\b(?:please|plz|pls|kindly)\b", " ", low)
    if lw.REQUEST.search(bare) or lx.NEWS.search(low) or lx.NARRATIVE.search(low):
        return False
    return len(tokens(PATH.sub(" ", low))) >= _PLAIN


def _contrast(run: tuple[str | None, str, str], low: str) -> bool:
    """ "A, not B" is one rule."""
    return run[0] == "must" and bool(re.match(r"\s*(?:and )?(?:not|rather|instead|而?不是)\b", low))


def _without_quotes(text: str, low: str) -> str:
    out = re.sub(
        f"{GAP}+",
        lambda m: GAP,
        "".join(GAP if b == GAP else a for a, b in zip(text, low, strict=True)),
    )
    return out.replace(GAP, "…")


def taken_back(items: list[S], event: Event) -> list[S]:
    """Those of the items said before that a speech of the user revokes."""
    old = [h for h in items[-LOOKBACK:] if h.at < event.at]
    gone: list[S] = []
    for sentence in event.sentences if old else ():
        if not lx.REVOKE.search(sentence.low) or is_question(sentence.low):
            continue
        words = tokens(sentence.text)
        hit = [h for h in old if len(h.words & words) >= max(1, 0.34 * len(h.words))]
        if not hit and lx.REVOKE_BARE.search(sentence.low):
            words = frozenset().union(*(tokens(s.text) for s in event.sentences))
            hit = [max(reversed(old), key=lambda h: len(h.words & words))]
        gone += hit
    return gone


def _replaces(rule: Rule, words: frozenset[str], old: _Held) -> bool:
    """Same subject with another number, or the opposite of what was said."""
    low, before_low = rule.text.lower(), old.rule.text.lower()
    numbers, old_numbers = set(_NUMBER.findall(low)), set(_NUMBER.findall(before_low))
    plain, before = words - numbers, old.words - old_numbers
    if not plain or not before:
        return False
    share = len(plain & before) / min(len(plain), len(before))
    if numbers and old_numbers and not numbers & old_numbers:
        same_unit = bool(set(_UNIT.findall(low)) & set(_UNIT.findall(before_low)))
        if same_unit and lx.REVOKE.search(low):
            return True
        return share >= (0.4 if same_unit else 0.6)
    return share >= 0.75 and rule.polarity != old.rule.polarity
