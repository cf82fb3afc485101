"""Goes through a session and judges every seam in it, holding one window at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from harness.audit.actions import Action, actions
from harness.audit.behaviour import LONG, Measure, Window, measure
from harness.audit.facts import Fact, established
from harness.audit.kept import Verdict, View
from harness.audit.told import Told
from harness.readers.base import RESULTS, Item, Mark, Said, Session
from harness.types import Usage

MOMENTS = 2_000
"""Turns of a session whose user messages are drawn on its line."""
WAITING = 4_000
"""Messages after a seam that are held for its window, whatever the number of responses."""


@dataclass
class Seam:
    """One seam, judged.

    facts: what was established and what the view after says of it. gone: facts from before an
    earlier seam that were no longer in the view. copy_of: the same seam, seen in another file.
    """

    session: Session
    file: str
    mark: Mark
    facts: list[tuple[Fact, Verdict]] = field(default_factory=list)
    gone: int = 0
    notes: list[str] = field(default_factory=list)
    measures: dict[str, Measure] = field(default_factory=dict)
    turns_after: int = 0
    copy_of: str = ""

    @property
    def name(self) -> str:
        return f"{self.session.id}#{self.mark.number}"


@dataclass
class Course:
    """A session as a whole. moments: turns at which the user spoke."""

    session: Session
    file: str
    turns: int = 0
    messages: int = 0
    users: int = 0
    usage: Usage = field(default_factory=Usage)
    moments: list[int] = field(default_factory=list)
    seams: list[Seam] = field(default_factory=list)


def audit(items: Iterable[Item], file: str) -> Iterator[Course]:
    """Each session of a file with its judged seams, once it is over."""
    course: _Auditor | None = None
    for item in items:
        if isinstance(item, Session):
            if course:
                yield course.close()
            course = _Auditor(item, file)
        elif course is None:
            continue
        elif isinstance(item, Mark):
            course.mark(item)
        else:
            course.say(item)
    if course:
        yield course.close()


@dataclass
class _Waiting:
    """A seam whose window is still filling."""

    seam: Seam
    done: list[Action]
    facts: list[Fact]
    view: View
    after: list[Said] = field(default_factory=list)


class _Auditor:
    """Feeds on one session's messages and seams."""

    def __init__(self, session: Session, file: str) -> None:
        self.course = Course(session, file)
        self.told = Told()
        self.waiting: _Waiting | None = None
        self.previous: View | None = None
        self.pending: list[Said] = []

    def say(self, said: Said) -> None:
        course = self.course
        course.messages += 1
        course.turns = max(course.turns, said.turn)
        if said.human:
            course.users += 1
            if len(course.moments) < MOMENTS:
                course.moments.append(said.turn)
        if said.usage:
            course.usage += said.usage
        if said.role != "tool" or len(self.pending) >= RESULTS:
            self._settle()
        self.pending.append(said)
        self._fill(said)

    def _settle(self) -> None:
        """The last response and its results are complete: it goes into what was told."""
        pending, self.pending = self.pending, []
        if not pending:
            return
        done = actions(pending, self.course.session.cwd)
        for said in pending:
            self.told.add(said, [action for action in done if action.said is said])

    def _fill(self, said: Said) -> None:
        waiting = self.waiting
        if not waiting:
            return
        begun = self.course.turns - waiting.seam.mark.turn
        if begun > LONG or len(waiting.after) >= WAITING:
            self._judge()
        else:
            waiting.after.append(said)

    def mark(self, mark: Mark) -> None:
        self._settle()
        self._judge()
        seam = Seam(self.course.session, self.course.file, mark)
        self.course.seams.append(seam)
        done = actions(mark.before, self.course.session.cwd)
        facts = self._facts(seam, done)
        view = View(mark.after or (), mark.before)
        seam.facts = [(fact, _says(view, fact, mark)) for fact in facts]
        if mark.trimmed or self.told.trimmed:
            seam.notes.append("the view before it was so long that its beginning was left out")
        self.waiting = _Waiting(seam, done, facts, view)
        self.previous = view

    def _facts(self, seam: Seam, done: list[Action]) -> list[Fact]:
        """What was established and was still in view before this seam."""
        if not seam.mark.before:
            seam.notes.append("nothing that stands before it is in the file")
            return []
        facts = established(self.told, done)
        if self.previous is None:
            return facts
        here = {id(said) for said in seam.mark.before}
        kept = []
        for fact in facts:
            there = fact.said is None or id(fact.said) in here
            if there or self.previous.says(fact).word == "kept":
                kept.append(fact)
            else:
                seam.gone += 1
        return kept

    def _judge(self) -> None:
        waiting, self.waiting = self.waiting, None
        if not waiting:
            return
        seam = waiting.seam
        seam.turns_after = len({s.turn for s in waiting.after if s.role == "assistant"})
        seam.measures = measure(
            Window(
                before=seam.mark.before,
                done=waiting.done,
                facts=waiting.facts,
                view=waiting.view.everything,
                after=waiting.after,
                cwd=self.course.session.cwd,
            )
        )

    def close(self) -> Course:
        self._settle()
        self._judge()
        return self.course


def _says(view: View, fact: Fact, mark: Mark) -> Verdict:
    """What the view tells; where a part of it cannot be read, `lost` cannot be told."""
    verdict = view.says(fact)
    if mark.unread and verdict.word != "kept":
        return Verdict("unread", why=mark.unread)
    return verdict
