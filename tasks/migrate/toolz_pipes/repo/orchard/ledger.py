"""The ledger of one season: rows of picking, sales and cold nights."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Season:
    """Rows by kind; `rate` is paid for an hour, in cents."""

    picked: list[Row]
    sales: list[Row]
    nights: list[Row]
    rate: int = 1450


def sample() -> Season:
    """A season small enough to check by hand."""
    start = date(2026, 9, 1)
    bins = [
        ("A1", "Cox", "Ines", 320, 6.5, 1, 12.4),
        ("A1", "Cox", "Paul", 0, 5.0, 1, 12.4),
        ("A2", "Idared", "Ines", 410, 7.0, 2, 10.9),
        ("B1", "Boskoop", "Ruth", 275, 6.0, 1, 13.1),
        ("B1", "Boskoop", "Paul", 150, 4.0, 3, 9.7),
        ("B2", "Cox", "Ruth", 505, 8.5, 1, 12.9),
    ]
    names = ("block", "variety", "picker", "kg", "hours", "grade", "brix")
    picked = [
        {"day": start + timedelta(days=3 * n), **dict(zip(names, values, strict=True))}
        for n, values in enumerate(bins)
    ]
    sold = [("mill", "Idared", 400, 32), ("stall", "Cox", 60, 180), ("stall", "Boskoop", 45, 210)]
    sales = [
        {"day": start + timedelta(days=n), "buyer": b, "variety": v, "kg": kg, "cents": cents}
        for n, (b, v, kg, cents) in enumerate(sold)
    ]
    lows = [("A1", -0.4), ("A2", -2.1), ("B1", 1.3), ("B2", -3.0)]
    nights = [{"day": date(2026, 4, 18), "block": block, "low": low} for block, low in lows]
    return Season(picked, sales, nights)


def varieties(season: Season) -> set[str]:
    """Names of what was picked, in no order."""
    return {row["variety"] for row in season.picked}
