"""State extraction: what a history has established, found by rules, never by a model.

The same history always gives the same state. Conversation and tool calls are read; tool output is
not, except the user's answers to `ask_user`.
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.extract import lex_rules, lex_work
from harness.extract.events import Event, events
from harness.extract.facts import Notes, decisions_in, gives_environment, name_in
from harness.extract.paths import FileBook
from harness.extract.progress import ProgressBook
from harness.extract.rules import RuleBook, asserted, standing
from harness.extract.speech import Sentence, in_passing, is_question
from harness.extract.taken_back import revoking
from harness.types import Message, State

__all__ = ["extract"]


def extract(messages: list[Message]) -> State:
    """State at the end of `messages` (OpenAI chat format).

    Takes time linear in their number. Tool calls that cannot be parsed are passed over.
    """
    reader = _Reader()
    for event in events(messages):
        reader.read(event)
    return reader.state()


class _Reader:
    """Feeds each event to the books that keep one kind of fact."""

    def __init__(self) -> None:
        self.rules = RuleBook()
        self.files = FileBook()
        self.progress = ProgressBook()
        self.naming = Notes()
        self.environment = Notes()
        self.decisions = Notes()
        self.offer = ""

    def read(self, event: Event) -> None:
        if event.kind == "user":
            self._user(event)
        elif event.kind == "assistant":
            self._assistant(event)
        elif event.kind == "plan":
            self.progress.set_plan(event.plan)
            self.files.plan(event.plan)
        elif event.kind in ("edit", "read"):
            self.files.touch(event.kind, event.text)
            if event.kind == "edit":
                self.progress.edited(event.text)
        elif event.card:
            self._card(event.card, event.at)

    def _card(self, card: State, at: int) -> None:
        self.rules.carry(card.constraints, at)
        self.files.carry(card.files)
        steps = [(t, "done") for t in card.done] + [(t, "open") for t in card.open]
        self.progress.set_plan(tuple(steps))
        for notes, texts in (
            (self.naming, card.naming),
            (self.environment, card.environment),
            (self.decisions, card.decisions),
        ):
            for text in texts:
                notes.add(text, at)

    def _user(self, event: Event) -> None:
        if all(in_passing(s.low) for s in event.sentences):
            self.rules.lift(event)
            self.progress.accept()
            self.offer = ""
            return
        kept = standing(event.sentences)
        if lex_rules.REFUSAL.search(event.sentences[0].low):
            self.progress.refuse()
            self.files.refuse()
        self.progress.accept()
        self.files.offered = set()
        back = revoking(event)
        for book in (self.rules, self.naming, self.environment) if back else ():
            book.revoke(event, back)
        ruled = self.rules.hear(event, kept)
        self.progress.user(event, kept)
        self.files.said(kept, user=True)
        chosen = decisions_in(event, self.offer)
        full = self._facts(event.at, kept, ruled, chosen)
        for text in chosen:
            if text not in full:
                self.decisions.add(text, event.at)
        self.offer = ""

    def _assistant(self, event: Event) -> None:
        self.progress.assistant(event)
        sentences = [s for s in event.sentences if not lex_work.OFFER.search(s.low)]
        planned = [s for s in sentences if lex_work.NEXT.search(s.low)]
        planned = [s for s in planned if not lex_work.LOOKING.search(s.low)]
        self.files.said(planned, user=False)
        offers = [
            s.text for s in event.sentences if lex_work.OFFER.search(s.low) or is_question(s.low)
        ]
        self.offer = offers[0] if offers else ""
        plain = [s for s in event.sentences if not lex_work.LABEL.match(s.low)]
        self._facts(event.at, plain)
        for text in decisions_in(event, ""):
            self.decisions.add(text, event.at)

    def _facts(
        self,
        at: int,
        sentences: Iterable[Sentence],
        ruled: set[str] | None = None,
        chosen: Iterable[str] = (),
    ) -> set[str]:
        """Note names and surroundings; the sentences that are in two kinds by then.

        `ruled`: sentences of the user that give rules, None where the assistant speaks; `chosen`:
        those that are decisions.
        """
        full: set[str] = set()
        for sentence in sentences:
            text, user = sentence.text, ruled is not None
            name, place = name_in(sentence, user), gives_environment(sentence, user)
            if not (name or place) or not asserted(sentence):
                continue
            rule = user and text in ruled
            if name:
                self.naming.add(name, at)
            if place and not (rule and (name or text in chosen)):
                self.environment.add(text, at)
            if name and (rule or place):
                full.add(text)
        return full

    def state(self) -> State:
        return State(
            constraints=self.rules.rules(),
            files=self.files.roles(),
            naming=self.naming.all(),
            open=self.progress.open(),
            done=self.progress.done(),
            environment=self.environment.all(),
            decisions=self.decisions.all(),
        )
