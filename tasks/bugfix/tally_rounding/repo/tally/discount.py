"""Terms of payment: what a customer may take off for paying early."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


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


STANDARD = Terms((Step(8, 3), Step(14, 2)), 30)


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
