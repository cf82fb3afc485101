"""What was established before a seam: the extractor's state, each fact with where it was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from harness.audit.actions import Action
from harness.audit.told import Told
from harness.audit.wording import stems
from harness.extract import extract
from harness.extract.speech import key
from harness.readers.base import Said
from harness.text import content_text, units

KINDS = ("constraint", "path", "naming", "decision", "environment", "done", "open", "command")
"""Kinds of fact in report order: those of the extractor, progress split, and commands."""
HABIT = 2
"""Runs before the seam from which any command counts as established; a check counts at once."""

_ADDRESS = re.compile(r"(?:\w+:)?//")
_WORKS = re.compile(r"\b(?:tests?|lint|build|check|compile|type-?check|pytest|tox|make|vet|fmt)\b")
_LEAD = re.compile(r"^(?:cd\s+\S+\s*(?:&&|;)\s*|\w+=\S+\s+(?=cd\s))+")
_TAIL = re.compile(r"(?:\s*(?:2>&1|\|\s*(?:tail|head|grep|sed|cat|wc|sort|tee)\b[^|]*))+\s*$")
_LOOK = re.compile(
    r"\s*(?:ls|cat|head|tail|pwd|git (?:status|diff|log|show)|sed -n|rg|grep|find)\b"
)


@dataclass(frozen=True)
class Fact:
    """One established fact. said: the message that says it first, None where it is not found.

    sentence: as it was said there. note: role of a file, or what must (not) be.
    """

    kind: str
    text: str
    note: str = ""
    said: Said | None = None
    sentence: str = ""

    @property
    def by(self) -> str:
        return "" if self.said is None else "user" if self.said.human else "agent"


def established(told: Told, done: Sequence[Action]) -> list[Fact]:
    """Every fact at the end of what was told, in the order of KINDS, then of first mention."""
    places = Places(told.said(), done)
    found = [fact for fact in (*_state(told), *_commands(done)) if _says_something(fact)]
    return [places.found(fact) for fact in found]


def _says_something(fact: Fact) -> bool:
    """No address that was taken for a file, no sentence without a word that tells anything."""
    if fact.kind == "path":
        return not _ADDRESS.match(fact.text) and bool(fact.text.strip("./"))
    return bool(stems(fact.text))


def _state(told: Told) -> Iterator[Fact]:
    state = extract(told.messages())
    for rule in state.constraints:
        yield Fact("constraint", rule.text, rule.polarity)
    for file in state.files:
        yield Fact("path", file.path, file.role)
    for kind, texts in (
        ("naming", state.naming),
        ("decision", state.decisions),
        ("environment", state.environment),
        ("done", state.done),
        ("open", state.open),
    ):
        yield from (Fact(kind, text) for text in texts)


@lru_cache(maxsize=8192)
def core(command: str) -> str:
    """A command without the change of folder before it and the filters behind it."""
    return " ".join(_TAIL.sub("", _LEAD.sub("", command.strip())).split())


def _commands(done: Iterable[Action]) -> Iterator[Fact]:
    """Commands by which this work is built and tested, and what was run again and again."""
    runs = Counter(core(a.command) for a in done if a.kind == "run" and "\n" not in a.command)
    for command, count in runs.items():
        often = count >= HABIT or _WORKS.search(command)
        if often and 4 < len(command) <= 300 and not _LOOK.match(command):
            yield Fact("command", command, f"run {count} times" if count > 1 else "run once")


class Places:
    """Finds the message that says a fact first, and the call that first uses it."""

    def __init__(self, said: Sequence[Said], done: Sequence[Action]) -> None:
        self.said = [(one, key(content_text(one.message))) for one in said]
        self.used: dict[str, Action] = {}
        self.planned: dict[str, Said] = {}
        for action in done:
            for name in (*action.paths, core(action.command)):
                self.used.setdefault(name, action)
            for text, _ in action.items:
                self.planned.setdefault(text, action.said)

    def found(self, fact: Fact) -> Fact:
        """The fact with its place; what is never spoken of is where it was used."""
        spoken = self._spoken(fact.text)
        if fact.kind == "path" and not spoken:
            spoken = self._spoken(fact.text.rsplit("/", 1)[-1])
        human = next((one for one in spoken if one.human), None)
        used = self.used.get(fact.text) if fact.kind in ("path", "command") else None
        if human or (spoken and not used):
            first = human or spoken[0]
            return replace(fact, said=first, sentence=_sentence(fact, first))
        if used:
            return replace(fact, said=used.said, sentence=used.command)
        if fact.text in self.planned:
            return replace(fact, said=self.planned[fact.text], sentence=fact.text)
        return fact

    def _spoken(self, text: str) -> list[Said]:
        name = key(text)
        return [one for one, held in self.said if name and name in held]


def _sentence(fact: Fact, said: Said) -> str:
    """The unit of a message that shares most with the fact."""
    wanted = stems(fact.text)
    best, most = "", 0
    for unit in units(content_text(said.message)):
        if key(fact.text) in key(unit):
            return unit[:600]
        common = len(wanted & stems(unit))
        if common > most:
            best, most = unit, common
    return best[:600]
