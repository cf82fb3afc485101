"""Sub-goals open and done: from plans, from lists in requests, from what the assistant says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from harness.extract import lex_work as lw
from harness.extract.events import Event
from harness.extract.paths import PATH, name_of, paths_in
from harness.extract.speech import Sentence, is_question, lower, polarity, tokens, trim

_MARK = re.compile(r"[（(](\d{1,2}|[a-h])[)）]|([①②③④⑤⑥⑦⑧⑨])")
_COUNTED = re.compile(
    r"(?:[两三四五六七几\d]\s*(?:件事|个(?:任务|功能|步骤|地方|问题|点|活)|项|步|处)"
    r"|\b(?:two|three|four|five|six|\d|some|few) (?:\w+ )?"
    r"(?:things|tasks|steps|items|jobs|points|parts|features))"
    r"[^：:。\n]{0,40}[：:](?P<list>[^。\n]+)",
    re.I,
)
_SPOKEN = re.compile(r"\w")
_KEEP = 60
"""Pending steps held, and finished ones compared; bounds the cost on very long histories."""
_SAME = 0.6
"""Share of common words from which a text speaks of a step by its name."""


@dataclass(frozen=True)
class _Step:
    """A piece of work. `mark` numbers an item of a list; `offered`: the assistant announced it."""

    text: str
    words: frozenset[str]
    names: frozenset[str]
    mark: str = ""
    offered: bool = False

    def same_as(self, other: _Step) -> bool:
        most = max(1, len(self.words), len(other.words))
        return len(self.words & other.words) >= _SAME * most

    def shares(self, other: _Step, part: float) -> bool:
        """Common words, and no other file than the `other` text names."""
        apart = self.names and other.names and not self.names & other.names
        return not apart and len(self.words & other.words) >= max(1, part * len(self.words))


@lru_cache(maxsize=4096)
def _step(text: str, mark: str = "", offered: bool = False) -> _Step:
    names = {name_of(p) for p in paths_in(text)}
    # CHANGELOG beside CHANGELOG.md is the same file.
    names -= {n for n in names if any(o.startswith(f"{n}.") for o in names)}
    return _Step(text, _words(text), frozenset(names), mark, offered)


def _words(text: str) -> frozenset[str]:
    """Content words; of a path only its name, since folders are common to many steps."""
    return tokens(PATH.sub(lambda m: name_of(m.group()), text))


@dataclass
class ProgressBook:
    """The plan, and pending work beside it."""

    plan: dict[str, str] = field(default_factory=dict)
    steps: dict[str, _Step] = field(default_factory=dict)
    planned: set[str] = field(default_factory=set)
    finished: dict[str, None] = field(default_factory=dict)
    pending: list[_Step] = field(default_factory=list)
    current: str = ""
    wrote: bool = False
    last: tuple[str, ...] = ()

    def set_plan(self, items: tuple[tuple[str, str], ...]) -> None:
        """A new version wins; steps that it or an older version finished stay done."""
        self.plan = {text: status for text, status in items if status != "dropped"}
        old, self.steps = self.steps, {t: self.steps.get(t) or _step(t) for t in self.plan}
        for text in list(self.finished)[-_KEEP:]:
            loose = text not in self.planned
            if text in self.plan or not (loose or text in old):
                continue
            said = _step(text)
            if any(s.same_as(said) or (loose and s.shares(said, 0.3)) for s in self.steps.values()):
                del self.finished[text]
        self.planned.update(self.plan)
        self.finished.update((text, None) for text, status in items if status == "done")
        self.pending = []
        self.current = ""

    def edited(self, path: str) -> None:
        """A write settles what was announced or pending for that file, and what named no file."""
        self.wrote = True
        self.last = ()
        name = name_of(path)
        if self.current and self.steps[self.current].names <= {name}:
            self.plan[self.current] = "done"
        for step in list(self.pending):
            if not step.mark and step.names <= {name}:
                self._finish(step)

    def user(self, event: Event, kept: list[Sentence]) -> None:
        """Requests of the user become pending work. `kept`: sentences that may be requests."""
        self.last = tuple(trim(s.text) for s in kept if len(tokens(s.text)) > 2)[:1]
        found = _inline_list(event.text) or _listed(event)
        if found:
            self._put(found)
            return
        for sentence in kept:
            first = next((m for _, low in sentence.clauses if (m := polarity(low))), None)
            named = bool(paths_in(sentence.text)) and len(tokens(sentence.text)) > 3
            if (lw.REQUEST.search(sentence.low) and first != "must_not") or (
                named and first is None
            ):
                self._put([_step(trim(sentence.text))])

    def assistant(self, event: Event) -> None:
        """What it says it has done, and what it will do."""
        for sentence in event.sentences:
            label = lw.LABEL.match(sentence.low)
            if label:
                self._labelled(sentence.text[label.end() :], bool(label["done"]))
                continue
            offer = lw.OFFER.search(sentence.low)
            if is_question(sentence.low) or (offer and not lw.DONE.search(sentence.low)):
                continue
            self._plain(sentence)

    def _labelled(self, text: str, done: bool) -> None:
        """ "Done: X" or "Next: X"."""
        text = trim(text)
        named = _step(text)
        self.wrote = False
        planned = next((t for t, s in self.steps.items() if s.same_as(named)), None)
        if not done:
            self.current = planned or ""
            self._announce(text)
        elif planned:
            self.plan[planned] = "done"
        else:
            self._settle(text)

    def _plain(self, sentence: Sentence) -> None:
        done, after = _halves(sentence)
        missing = lw.NOT_DONE.search(sentence.low)
        if missing and self.current:
            self.plan[self.current] = "open"
        self.current = "" if done or after else self.current
        if lw.REMARK.search(sentence.low):
            done = ""
        elif self.wrote and not (done or after or missing):
            # The first plain statement after a write tells what the write has done.
            done = sentence.text
        self.wrote = False
        if done:
            self._settle(trim(done))
        if after and not lw.LOOKING.search(lower(after)):
            self._announce(trim(_intended(after)))

    def refuse(self) -> None:
        """The user turns down what the assistant just said it would do."""
        self.pending = [s for s in self.pending if not s.offered]

    def accept(self) -> None:
        """The assistant's announcements have stood; later refusals do not touch them."""
        self.pending = [replace(s, offered=False) if s.offered else s for s in self.pending]
        self.wrote = False

    def _announce(self, text: str) -> None:
        new = _step(text, offered=True)
        if len(new.words) > 1 and not any(s.shares(new, 0.3) for s in self.steps.values()):
            self._put([new])

    def _settle(self, text: str) -> None:
        said = _step(text)
        marks = {m.group(1) or m.group(2) for m in _MARK.finditer(text)}
        near = [s for s in self.pending if s.shares(said, 0.2)]
        listed = [s for s in near if s.mark]
        best = max(listed, key=lambda s: len(s.words & said.words), default=None)
        for step in list(self.pending):
            named = step.mark in marks if step.mark and marks else step is best
            if named or (not step.mark and step in near):
                self._finish(step)
        if not self.plan:
            self.finished.setdefault(text)

    def _finish(self, step: _Step) -> None:
        """No longer pending. A plain request is not listed: what was done for it is."""
        self.pending.remove(step)
        if not self.plan and (step.mark or step.offered):
            self.finished.setdefault(step.text)

    def _put(self, steps: list[_Step]) -> None:
        known = {s.text for s in self.pending}
        self.pending.extend(s for s in steps if s.text not in known)
        del self.pending[:-_KEEP]

    def open(self) -> tuple[str, ...]:
        own = [t for t, status in self.plan.items() if status != "done"]
        own += [s.text for s in self.pending]
        # With nothing else known to be open, what the user said last is.
        return tuple(dict.fromkeys(own or self.last))

    def done(self) -> tuple[str, ...]:
        now = [t for t, status in self.plan.items() if status == "done"]
        before = [t for t in self.finished if t not in self.plan]
        return tuple(dict.fromkeys([*before, *now]))


def _halves(sentence: Sentence) -> tuple[str, str]:
    """(what is done, what is still to do) of one sentence of the assistant."""
    done: list[str] = []
    after: list[str] = []
    into: list[str] | None = None
    lead = ""
    for text, low in sentence.clauses:
        if lw.NEXT.search(low):
            into = after
        elif lw.DONE.search(low) and not lw.NOT_DONE.search(low):
            into = done
        if into is None:
            lead += text
        else:
            into.append(lead + text)
            lead = ""
    return "".join(done), "".join(after)


def _intended(text: str) -> str:
    """An announcement without the words that make it one: "now let me add it" -> "add it"."""
    lead = lw.INTENDS.match(lower(text))
    return text[lead.end() :] if lead and _SPOKEN.search(lead.group()) else text


def _listed(event: Event) -> list[_Step]:
    """Steps of a list with its own lines in a request, one for each item."""
    items: dict[int, list[str]] = {}
    for sentence in event.sentences:
        if sentence.part == "work" and sentence.item:
            items.setdefault(sentence.item, []).append(sentence.text)
    return [_step(trim(" ".join(texts)), str(i)) for i, texts in items.items()]


def _inline_list(text: str) -> list[_Step]:
    """Steps of "(1) this, (2) that" or "three things: this, that"; empty where there is none."""
    marks = list(_MARK.finditer(text))
    out: list[_Step] = []
    if len(marks) < 2:
        counted = _COUNTED.search(text)
        parts = re.split(r"[、,，;；]\s*(?:and )?", counted["list"]) if counted else []
        return [_step(p.strip(" ."), mark="-") for p in parts if p.strip(" .")]
    for i, mark in enumerate(marks):
        end = marks[i + 1].start() if i + 1 < len(marks) else len(text)
        part = re.split(r"[。\n]|\.\s", text[mark.start() : end], maxsplit=1)[0]
        out.append(_step(part.strip(" ,，、;；."), mark=mark.group(1) or mark.group(2)))
    return out
