"""What a sentence is (rule, question, hypothesis, report), its clauses and its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from harness.extract import lex_aside as la
from harness.extract import lex_rules as lx
from harness.extract import lex_work as lw

_QUOTE = re.compile(
    r"\"[^\"\n]{2,400}\"|“[^”\n]{2,400}”|「[^」\n]{2,400}」|『[^』\n]{2,400}』|«[^»\n]{2,400}»|‘[^’\n]{4,400}’"
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){4,300}'(?!\w)"
)
_WORD = re.compile(r"[A-Za-z']+|[\u4e00-\u9fff]")
_TOKEN = re.compile(
    r"[a-z_][a-z0-9_.'\-]*|\d+(?:\.\d+)?"
    r"|(?:(?![的了是在最多不要用请就都也和与把被给到为吧呢必须一律只能可以别])[\u4e00-\u9fff])+"
)
_CLAUSE = re.compile(r"[,，;；：]\s*|:\s+| [—–-]+ | but |(?<=[\u4e00-\u9fff])[ ]?但是?")
_CHATTER = re.compile(
    r"^(?:(?:ok(?:ay)?|k|so|hm+|well|oh|ah|right|alright|great|good|nice|thanks?|thx|cool|perfect|"
    r"lovely|yes|yep|yeah|btw|by the way|also|and|but|hi|hey|hello|fine|sure|haha|ha|fyi|wait|then|"
    r"one (?:more|change)(?: thing)?|p\.?s\.?)\b[\s,.:!—-]*)+"
    r"|^(?:(?:好的?|嗯+|哦|对了|行|可以|不错|漂亮|辛苦了?|谢谢|另外|还有|然后|那|啊|哎|哈哈+|您好|你好|嗨|"
    r"收到|没问题|ok)(?=[，,。！!\s、：:])[，,。！!\s、：:]*)+",
    re.I | re.ASCII,
)
_DIGIT = re.compile(r"\d")
_CONTRAST = re.compile(
    r"(?<!is)(?<!are)(?<!be)(?<!do)(?<!does)(?<!has)(?<!have) (?:and |, ?)?"
    r"(?:not(?! yet) |rather than |instead of )|而不是"
)
"""A, not B"""
_STOP = re.compile(
    r"the|an?|and|or|to|of|in|on|at|for|with|is|are|be|it|this|that|we|you|i|do|not|no|don'?t|never|must"
    r"|should|have|has|all|any|only|use|please|as|by|from|so|if|then|them|there|our|your|one|keep|make"
    r"|let|can|will|may|ok|just|now|new|files?|code"
)
Part = Literal["", "work", "rule", "head"]
"""An item of a list of work or of rules, or the sentence that introduces a list."""
_SO = re.compile(r"^\s*(?:(?:and )?(?:so|hence|therefore|that's why)\b|所以|因此)")
_PLEASE = re.compile(r",?\s+(?:please|pls|plz|thanks|btw)\s*[.!]*$", re.I)
FIRM = re.compile(r"\d|[`_/=]|[a-z][A-Z]|\w\.\w|\w\(\)")
"""A number, a path, an identifier: never cut away."""
REFERS = re.compile(
    r"\b(?:it|its|them|both|those|these|they)\b|\bnothing \w+er\b|它|这[个些块]|那[个些块]|对我们"
    r"|(?:别|不[要准许能可用]|勿)(?:再|去)?[动碰改管理][了吧啊。！!\s]*$|不在.{0,8}范围"
)
"""Speaks of what the clause before has named."""
_SAID = re.compile(r"\w")
_REASON = re.compile(r"\b(?:because|since)\b[^,;]*|(?:因为|由于)[^，,；;。]*")
GAP = "\x00"
"""Stands in a plain text for each character of a blanked quotation."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of speech.

    `low` is the text in lower case, quoted rules blanked, of the same length. `item` numbers the
    entry of a list that it belongs to (0: none), `part` says what that list is of.
    """

    text: str
    low: str
    item: int = 0
    part: Part = ""

    @cached_property
    def clauses(self) -> tuple[tuple[str, str], ...]:
        """(text with its separator, the same of `low`) of each clause."""
        out: list[tuple[str, str]] = []
        text, low, start = self.text, self.low, 0
        for match in _CLAUSE.finditer(low):
            if match.start() > start:
                out.append((text[start : match.end()], low[start : match.end()]))
                start = match.end()
        if start < len(text):
            out.append((text[start:], low[start:]))
        return tuple(out)


def lower(text: str) -> str:
    """Lower case of the same length, apostrophes made plain."""
    low = text.lower().replace("’", "'")
    return low if len(low) == len(text) else text


def blank_quotes(text: str) -> str:
    """Lower case with quotations of several words blanked; short quoted names stay."""
    low = lower(text)
    for match in _QUOTE.finditer(text):
        inner = low[match.start() + 1 : match.end() - 1]
        if len(_WORD.findall(inner)) >= 3 or lx.BAN.search(inner) or lx.DUTY.search(inner):
            low = low[: match.start()] + GAP * len(match.group()) + low[match.end() :]
    return low


def environment(low: str) -> re.Match[str] | None:
    """Where a text speaks of a port, version, command, place or machine."""
    found = lw.ENV_NUMBER.search(low) if _DIGIT.search(low) else None
    return found or lw.ENV.search(low)


def is_question(low: str) -> bool:
    """A question that is no polite request."""
    return bool(la.QUESTION.search(low)) and not la.POLITE.search(low)


def in_passing(low: str) -> bool:
    """Only a word to go on, thanks and the like."""
    return not _SAID.search(la.PASSING.blank(low))


def is_reported(low: str) -> bool:
    """Somebody else's words, not taken over by the speaker. What a reason tells is its own."""
    low = _REASON.sub("", low)
    dismissed = la.DISMISSED.search(low)
    if la.ENDORSED.search(low) and not dismissed:
        return False
    return bool(la.REPORTED.search(low) or (GAP in low and dismissed))


@lru_cache(maxsize=4096)
def polarity(clause: str) -> str | None:
    """must, must_not or None of a clause in lower case."""
    if any(c.search(clause) for c in (la.BECAUSE, la.MUSING)):
        return None
    clause = _REASON.sub("", clause)
    rest = lx.NOT_A_BAN.blank(clause)
    if lx.BAN.search(rest):
        return "must_not"
    if lx.DUTY.search(clause):
        return "must"
    weak = lx.BAN_WEAK.search(rest)
    # "What is not given defaults to 1": the negation is the condition of the duty that follows.
    if weak and _CONTRAST.search(clause) and len(tokens(clause[: weak.start()])) > 1:
        return "must"
    if weak and not lx.DUTY_WEAK.search(clause[weak.end() :]):
        return "must_not"
    return "must" if lx.DUTY_WEAK.search(clause) else None


def trim(text: str) -> str:
    """Without leading chatter and trailing separators."""
    text = text.strip()
    cut = _CHATTER.sub("", text, count=1)
    if len(_WORD.findall(cut)) >= 2:
        text = cut
    return text.strip(" ,，;；、:：\t")


def announces(low: str) -> bool:
    """Says only that something follows."""
    return bool(la.ANNOUNCES.search(low)) and not lx.BAN.search(lx.NOT_A_BAN.blank(low))


def concise(text: str, low: str) -> str:
    """A rule without what stands around it: news before it, reasons after it.

    Clauses that hold a name, a number or a path stay.
    """
    clauses = Sentence(text, low).clauses
    first, last = 0, len(clauses)
    while last > 1 and _is_reason(*clauses[last - 1]):
        last -= 1
    while first < last - 1 and _is_lead(*clauses[first], clauses[first + 1][1]):
        first += 1
    text = "".join(t for t, _ in clauses[first:last])
    return trim(_PLEASE.sub("", _SO.sub("", text, count=1) if first else text))


def _is_reason(text: str, low: str) -> bool:
    if FIRM.search(text) or la.BECAUSE.search(low):
        return not FIRM.search(text)
    orders = lx.BAN.search(lx.NOT_A_BAN.blank(low)) or lx.DUTY.search(low)
    return bool(la.EXPLAINS.search(low)) and not orders


def _is_lead(text: str, low: str, after: str) -> bool:
    """Chatter before a clause, or news before one that can be understood without it."""
    if FIRM.search(text) or polarity(low.strip()):
        return False
    if la.CHAT.search(low):
        return True
    told = la.NEWS.search(low) or la.NARRATIVE.search(low) or _SO.match(after)
    return bool(told) and len(tokens(after)) > 2 and not REFERS.search(after)


def key(text: str) -> str:
    """What makes two texts the same: their letters and digits."""
    return re.sub(r"\W+", "", text.lower())


@lru_cache(maxsize=4096)
def tokens(text: str) -> frozenset[str]:
    """Content words, crudely stemmed; identifiers, numbers, Chinese pairs of characters."""
    out: set[str] = set()
    for token in _TOKEN.findall(text.lower()):
        if token[0] >= "\u4e00":
            out.update(token[i : i + 2] for i in range(len(token) - 1) or (0,))
        elif not _STOP.fullmatch(plain := token.strip(".'-")):
            out.add(plain.rstrip("s")[:7] if plain.isalpha() and len(plain) > 3 else plain)
    return frozenset(out)
