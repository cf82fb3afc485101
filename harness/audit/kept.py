"""Whether a view says a fact: in one sentence, with its names and numbers and most of its words.

No model is asked, so the same files always give the same answer. A paraphrase with other words
is not seen; where words are shared but not enough of them, the answer is `unclear`, not `lost`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.audit.actions import calls_of
from harness.audit.facts import Fact
from harness.audit.wording import Rarity, stems
from harness.evidence import DONE_MARKS, OPEN_MARKS
from harness.extract.speech import key, polarity
from harness.readers.base import Said
from harness.text import content_text, is_chinese, units

ENOUGH = 0.6
"""Share of the weight of a fact's words that one sentence must hold to say it; by hand on real
summaries, sentences about something else stay below."""
SOME = 0.35
"""From this share on the answer is `unclear`, or `kept` where every name and number is there too;
from half of it `unclear` with every name."""
VERBATIM = 12
"""Letters from which a text that stands in a view word for word is no chance."""
NEAREST = 20
"""Units that are looked at for one fact."""

_HARD = re.compile(
    r"`[^`\n]{2,80}`|\"[^\"\n]{2,60}\"|\d+(?:\.\d+)+|\b\d+\b|[\w./~-]*/[\w./-]+\w"
    r"|\b\w+\.(?:py|tsx?|jsx?|go|rs|java|md|ya?ml|json|toml|sh|sql|css|html|c|h|cpp|rb)\b"
    r"|\b[A-Za-z]+_\w+\b|\b[a-z]+[A-Z]\w*\b|--[a-z][\w-]+"
)


@dataclass(frozen=True)
class Verdict:
    """kept, lost or unclear; `found`: the sentence of the view that says it; `why`: if unclear."""

    word: str
    found: str = ""
    why: str = ""


class View:
    """The speech of a view, ready to be searched. Tool output is not speech.

    `before`: the view that it replaced, whose speech tells which words are rare.
    """

    def __init__(self, said: Sequence[Said], before: Sequence[Said] = ()) -> None:
        spoken = [one for one in said if one.role != "tool"]
        self.text = "\n".join(content_text(one.message) for one in spoken)
        called = [str(args) for one in spoken for _, _, args in calls_of(one)]
        self.everything = "\n".join([self.text, *called])
        self.flat = " ".join(self.everything.split())
        self.key = key(self.text)
        self.units = [unit for one in spoken for unit in units(content_text(one.message))]
        self.lower = [unit.lower() for unit in self.units]
        earlier = [content_text(one.message) for one in before if one.role != "tool"]
        self.rarity = Rarity([*self.units, *(unit for text in earlier for unit in units(text))])
        self.holders: dict[str, list[int]] = {}
        for at, unit in enumerate(self.units):
            for word in stems(unit):
                self.holders.setdefault(word, []).append(at)
        self.chinese = is_chinese(self.text)

    def says(self, fact: Fact) -> Verdict:
        """What the view tells of the fact."""
        if fact.kind == "path":
            return self._path(fact.text)
        if fact.kind == "command":
            return Verdict("kept", fact.text) if fact.text in self.flat else Verdict("lost")
        return self._sentence(fact)

    def _path(self, path: str) -> Verdict:
        name = path.rsplit("/", 1)[-1]
        found = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self.everything)
        if not found:
            return Verdict("lost")
        around = [unit for unit in self.units if name in unit]
        return Verdict("kept", around[0][:600] if around else f"in a tool call: {name}")

    def _sentence(self, fact: Fact) -> Verdict:
        if len(key(fact.text)) >= VERBATIM and key(fact.text) in self.key:
            return Verdict("kept", self._around(fact.text))
        names = {match.strip('`"').lower() for match in _HARD.findall(fact.text)}
        wanted = stems(_HARD.sub(" ", fact.text))
        if not wanted and not names:
            return Verdict("unclear", why="no words to look for")
        if self.chinese != is_chinese(fact.text) and not names:
            return Verdict("unclear", why="said in another language than the view")
        best = Verdict("lost")
        for at in self._nearest(stems(fact.text)):
            found = self._judge(fact, names, wanted, at)
            if found.word == "kept":
                return found
            best = found if best.word == "lost" else best
        return best

    def _around(self, text: str) -> str:
        """The sentence that holds a text word for word, or the text where it spans several."""
        return next((unit[:600] for unit in self.units if key(text) in key(unit)), text[:600])

    def _nearest(self, words: frozenset[str]) -> list[int]:
        """The units that share most with the words, by weight."""
        shared: dict[int, set[str]] = {}
        for word in words:
            for at in self.holders.get(word, ()):
                shared.setdefault(at, set()).add(word)
        found = [(-self.rarity.weight(common), at) for at, common in shared.items()]
        return [at for _, at in sorted(found)[:NEAREST]]

    def _judge(self, fact: Fact, names: set[str], wanted: frozenset[str], at: int) -> Verdict:
        unit, low = self.units[at][:600], self.lower[at]
        missing = sorted(name for name in names if name not in low)
        share = 1.0
        if wanted:
            common = wanted & stems(self.units[at])
            share = self.rarity.weight(common) / self.rarity.weight(wanted)
        if share < (SOME / 2 if names and not missing else SOME):
            return Verdict("lost")
        if missing and len(missing) == len(names) and share < ENOUGH:
            return Verdict("lost")
        if missing:
            return Verdict("unclear", unit, f"without {', '.join(missing[:3])}")
        if share < (SOME if names else ENOUGH):
            return Verdict("unclear", unit, "few of its words")
        return self._meant(fact, unit, low)

    def _meant(self, fact: Fact, unit: str, low: str) -> Verdict:
        """The words are there: is it the same prohibition, the same state of a step?"""
        if fact.note == "must_not" and polarity(low) != "must_not":
            return Verdict("unclear", unit, "not as a prohibition")
        done, still = bool(DONE_MARKS.search(low)), bool(OPEN_MARKS.search(low))
        if fact.kind == "done" and not done:
            return Verdict("unclear", unit, "named, but not as done")
        if fact.kind == "open" and done and not still:
            return Verdict("unclear", unit, "named as done")
        return Verdict("kept", unit)
