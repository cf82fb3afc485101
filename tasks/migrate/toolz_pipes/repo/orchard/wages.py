"""Pay of the pickers, by the hour."""

from orchard.flow import Flow
from orchard.ledger import Season

LONG_DAY = 8


def hours(rows):
    """Hours by picker."""
    return Flow(rows).sums("picker", "hours")


def long_days(rows):
    """Number of long days by picker and month; the law wants a break on those."""
    days = Flow(rows).where(lambda row: row["hours"] >= LONG_DAY)
    return days.counts(lambda row: (row["picker"], row["day"].month))


def report(season: Season) -> list[str]:
    """Euros by picker."""
    pay = sorted(hours(season.picked).items())
    return [f"{picker}: {time * season.rate / 100:.2f} euros" for picker, time in pay]
