"""Rules that say when a job recurs, in the five fields known from crontab.

Fields are minute, hour, day of month, month, day of week (0 is Monday). A field holds `*`, a
number, a range `a-b`, a step `*/n` or `a-b/n`, or several of these separated by commas. Rules are
read on the wall clock of the site. If both day fields are restricted, both must fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from rota import RotaError
from rota.clock import to_site

LIMITS = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 6)}
HORIZON = timedelta(days=366)


def parse_number(text: str, field: str) -> int:
    """A number inside the limits of its field."""
    low, high = LIMITS[field]
    if not text.isdigit() or not low <= int(text) <= high:
        raise RotaError(f"{field}: expected {low} to {high}, found {text!r}")
    return int(text)


def parse_part(text: str, field: str) -> set[int]:
    """The values that one part of a field stands for."""
    body, slash, step_text = text.partition("/")
    step = parse_number(step_text, "minute") if slash else 1
    if step == 0:
        raise RotaError(f"{field}: a step cannot be 0")
    if body == "*":
        low, high = LIMITS[field]
        return set(range(low, high + 1, step))
    first_text, dash, last_text = body.partition("-")
    first = parse_number(first_text, field)
    if not dash:
        return {first}
    last = parse_number(last_text, field)
    if last < first:
        raise RotaError(f"{field}: a range cannot run backwards, found {body!r}")
    return set(range(first, last + 1, step))


def parse_field(text: str, field: str) -> frozenset[int]:
    """The values of a whole field."""
    values: set[int] = set()
    for part in text.split(","):
        values |= parse_part(part, field)
    return frozenset(values)


@dataclass(frozen=True)
class CronRule:
    """A parsed rule."""

    minute: frozenset[int]
    hour: frozenset[int]
    day: frozenset[int]
    month: frozenset[int]
    weekday: frozenset[int]

    @classmethod
    def parse(cls, text: str) -> CronRule:
        """A rule from its five fields."""
        fields = text.split()
        if len(fields) != len(LIMITS):
            raise RotaError(f"expected {len(LIMITS)} fields, found {len(fields)} in {text!r}")
        return cls(*(parse_field(part, name) for part, name in zip(fields, LIMITS, strict=True)))

    def matches(self, moment: datetime) -> bool:
        """Whether the rule fires in the minute of this moment."""
        local = to_site(moment)
        return (
            local.minute in self.minute
            and local.hour in self.hour
            and local.day in self.day
            and local.month in self.month
            and local.weekday() in self.weekday
        )

    def next_after(self, moment: datetime) -> datetime:
        """The first minute after the moment in which the rule fires, in UTC."""
        cursor = moment.astimezone(timezone.utc).replace(second=0, microsecond=0)
        limit = cursor + HORIZON
        while cursor < limit:
            cursor += timedelta(minutes=1)
            if self.matches(cursor):
                return cursor
        raise RotaError("the rule does not fire within a year")
