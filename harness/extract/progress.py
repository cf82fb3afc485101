"""Sub-goals open and done: from plans, from lists in requests, from what the assistant says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from harness.extract import lex_work as lw
from harness.extract.events import Event
from harness.extract.paths import paths_in
from harness.extract.speech import Sentence, is_question, polarity, tokens, trim

_MARK = re.compile(r"[（(](\d{1,2}|[a-h])[)）]|([①②③④⑤⑥⑦⑧⑨])")
_COUNTED = re.compile(
    r"(?:[两三四五六七几\d]\s*(?:件事|个(?:任务|功能|步骤|地方|问题|点|活)|项|步|处)"
    r"|\b(?:two|three|four|five|six|\d|some|few) (?:\w+ )?"
    r"(?:things|tasks|steps|items|jobs|points|parts|features))"
    r"[^：:。\n]{0,40}[：:](?P<list>[^。\n]+)",
    re.I,
)
_KEEP = 100
"""Pending steps held at once; bounds the cost on very long histories."""


@dataclass(frozen=True)
class _Step:
    text: str
    words: frozenset[str]
    names: frozenset[str]
    mark: str = ""
    offered: bool = False


def _step(text: str, mark: str = "", offered: bool = False) -> _Step:
    names = frozenset(p.rsplit("/", 1)[-1] for p in paths_in(text))
    return _Step(text, tokens(text), names, mark, offered)


@dataclass
class ProgressBook:
    """The plan, and pending work beside it."""

    plan: dict[str, str] = field(default_factory=dict)
    finished: dict[str, None] = field(default_factory=dict)
    pending: list[_Step] = field(default_factory=list)
    wrote: bool = False
    last: tuple[str, ...] = ()

    def set_plan(self, items: tuple[tuple[str, str], ...]) -> None:
        """A new version wins; steps that it or an older version finished stay done."""
        self.plan = {text: status for text, status in items if status != "dropped"}
        for text, status in items:
            if status == "done":
                self.finished.setdefault(text)
            else:
                self.finished.pop(text, None)
        self.pending = []

    def edited(self, path: str) -> None:
        """A write settles what was pending for that file, and what named no file."""
        self.wrote = True
        self.last = ()
        name = path.replace("\\", "/").rsplit("/", 1)[-1]
        for step in list(self.pending):
            if not step.mark and step.names <= {name}:
                self._finish(step)

    def user(self, event: Event, kept: list[Sentence]) -> None:
        """Requests of the user become pending work. `kept`: sentences that may be requests."""
        self.wrote = False
        self.last = tuple(trim(s.text) for s in kept if len(tokens(s.text)) > 2)
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
            offer = lw.OFFER.search(sentence.low)
            if is_question(sentence.low) or (offer and not lw.DONE.search(sentence.low)):
                continue
            done, after = _halves(sentence)
            if self.wrote and not (done or after or lw.NOT_DONE.search(sentence.low)):
                # The first plain statement after a write tells what the write has done.
                done = sentence.text
            self.wrote = False
            if done:
                self._settle(done)
            if after and not lw.LOOKING.search(after.lower()):
                self._reach(after)
                if len(tokens(after)) > 1:
                    self._put([_step(trim(after), offered=True)])

    def refuse(self) -> None:
        """The user turns down what the assistant just said it would do."""
        self.pending = [s for s in self.pending if not s.offered]

    def accept(self) -> None:
        """The assistant's announcements have stood; later refusals do not touch them."""
        self.pending = [_step(s.text, s.mark) if s.offered else s for s in self.pending]

    def _settle(self, text: str) -> None:
        words = tokens(text)
        marks = {m.group(1) or m.group(2) for m in _MARK.finditer(text)}
        for step in list(self.pending):
            near = len(step.words & words) >= max(1, 0.2 * len(step.words))
            if (step.mark in marks) if step.mark and marks else near:
                self._finish(step)
        if not self.plan:
            self.finished.setdefault(trim(text))

    def _reach(self, text: str) -> None:
        """Coming to a numbered step means that those before it are done."""
        marks = {m.group(1) or m.group(2) for m in _MARK.finditer(text)}
        at = next((i for i, s in enumerate(self.pending) if s.mark and s.mark in marks), 0)
        for step in [s for s in self.pending[:at] if s.mark]:
            self._finish(step)

    def _finish(self, step: _Step) -> None:
        self.pending.remove(step)
        if not self.plan:
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
        return tuple(self.finished)


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


def _listed(event: Event) -> list[_Step]:
    """Steps of a list with its own lines in a request."""
    items = [s for s in event.sentences if s.listed and not s.in_rules]
    if len(items) < 2 or any(polarity(s.low) == "must_not" for s in items):
        return []
    return [_step(trim(s.text), mark=str(i + 1)) for i, s in enumerate(items)]


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
