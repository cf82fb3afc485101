"""Terms of payment: what a customer may take off for paying early."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from tally.money import format_cents


class TermsError(ValueError):
    """Terms of payment that contradict themselves."""


@dataclass(frozen=True)
class Step:
    """A percentage that may be taken off up to so many days."""

    days: int
    percent: int


@dataclass(frozen=True)
class Terms:
    """Steps of discount, the earliest first, and the days to pay at all."""

    steps: tuple[Step, ...]
    net_days: int

    def __post_init__(self) -> None:
        days = [step.days for step in self.steps]
        if days != sorted(set(days)) or any(day > self.net_days for day in days):
            raise TermsError(f"steps of {days} days within {self.net_days}")

    def percent_on(self, age: int) -> int:
        """Percent that may be taken off when an invoice is `age` days old."""
        for step in self.steps:
            if age <= step.days:
                return step.percent
        return 0

    def last_day(self, invoiced: date, percent: int) -> date | None:
        """The last day on which at least so many percent may be taken off."""
        found = [step.days for step in self.steps if step.percent >= percent]
        return invoiced + timedelta(days=found[-1]) if found else None

    def text(self) -> str:
        """The terms as they are printed on an invoice."""
        parts = [f"{step.percent} % within {step.days} days" for step in self.steps]
        return ", ".join([*parts, f"net within {self.net_days} days"])


STANDARD = Terms((Step(8, 3), Step(14, 2)), 30)
PROMPT = Terms((), 10)


def parse_terms(text: str) -> Terms:
    """Terms from their short form, such as `3/8 2/14 net/30`.

    Raises TermsError where a part cannot be read, or `net` is missing.
    """
    steps: list[Step] = []
    for part in text.split():
        head, _, days = part.partition("/")
        if not days.isdecimal():
            raise TermsError(f"expected something like 3/8, found {part!r}")
        if head == "net":
            return Terms(tuple(steps), int(days))
        if not head.isdecimal() or int(head) > 20:
            raise TermsError(f"expected up to 20 percent, found {head!r}")
        steps.append(Step(int(days), int(head)))
    raise TermsError(f"expected net/DAYS at the end of {text!r}")


def discount_of(cents: int, percent: int) -> int:
    """The amount that a percentage takes off an invoice or a credit note."""
    return int(cents * percent / 100)


def to_pay(cents: int, invoiced: date, paid: date, terms: Terms = STANDARD) -> int:
    """What settles an invoice on the day of payment."""
    age = (paid - invoiced).days
    return cents - discount_of(cents, terms.percent_on(age))


def settles(due: int, received: int) -> bool:
    """Whether a payment settles what is due; a cent too little does not."""
    return received >= due if due >= 0 else received <= due


def reminder(due: int, invoiced: date, today: date, terms: Terms = STANDARD) -> str:
    """One line for a customer who has yet to pay; empty while there is time."""
    age = (today - invoiced).days
    if age <= terms.net_days:
        last = terms.last_day(invoiced, 1)
        if last is None or today > last:
            return ""
        return f"pay by {last} and take off {terms.percent_on(age)} %"
    late = age - terms.net_days
    return f"{format_cents(due)} are {late} days late"
