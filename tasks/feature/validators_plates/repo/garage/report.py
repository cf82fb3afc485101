"""One text for every day."""

from collections import Counter

from garage.ledger import Ledger


def hours_of(ledger: Ledger, kind: str, day: int) -> Counter[int]:
    """Number of lines of a kind by hour of the day."""
    hours = (line.at for line in ledger.of_kind(kind))
    return Counter(int(at % 24) for at in hours if int(at // 24) == day)


def report(ledger: Ledger, day: int) -> str:
    """Arrivals and departures of a day, and the hour with most arrivals."""
    arrivals = hours_of(ledger, "arrival", day)
    departures = hours_of(ledger, "leave", day)
    lines = [f"Day {day}", f"in: {arrivals.total()}", f"out: {departures.total()}"]
    if arrivals:
        hour, count = max(arrivals.items(), key=lambda item: (item[1], -item[0]))
        lines.append(f"busiest: {hour:02d} h with {count}")
    return "\n".join(lines)
