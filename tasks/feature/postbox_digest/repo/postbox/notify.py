"""The outbox: mails that wait until the mail host fetches them."""

from __future__ import annotations

from dataclasses import dataclass, field

from postbox.render import mail


@dataclass(frozen=True)
class Notice:
    """One mail for one owner."""

    owner: str
    text: str


@dataclass
class Outbox:
    """Mails in the order in which they came; `fetch` is what the mail host calls."""

    waiting: list[Notice] = field(default_factory=list)

    def tell(self, owner: str, sender: str, words: str, link: str) -> None:
        """Note that an owner has a new message."""
        text = mail("notice", sender=sender, first=words.splitlines()[0], link=link)
        self.waiting.append(Notice(owner, text))

    def welcome(self, owner: str, box: str) -> None:
        """Greet the owner of a new box."""
        self.waiting.append(Notice(owner, mail("welcome", owner=owner, box=box)))

    def fetch(self, most: int = 100) -> list[Notice]:
        """The oldest mails; they do not wait any more then."""
        taken, self.waiting = self.waiting[:most], self.waiting[most:]
        return taken
