"""Maps and loans, and the rows that all other modules work on."""

from dataclasses import dataclass
from datetime import date
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Map:
    """One sheet. `has_key`: signs and colours are explained on the sheet."""

    key: str
    title: str
    place: str
    year: int
    has_key: bool = False


@dataclass(frozen=True)
class Loan:
    """A map that is out."""

    key: str
    reader: str
    due: date


def map_row(one: Map) -> Row:
    """A map as a row."""
    return {
        "key": one.key,
        "title": one.title,
        "place": one.place,
        "year": one.year,
        "has_key": one.has_key,
    }


def loan_row(loan: Loan) -> Row:
    """A loan as a row."""
    return {"key": loan.key, "reader": loan.reader, "due": loan.due}


def sample() -> tuple[list[Row], list[Row]]:
    """Rows of a few maps, and of the loans among them."""
    maps = [
        Map("K 12.4", "Plan de Cologne", "Köln", 1752, True),
        Map("K 12.9", "Köln und Deutz", "Köln", 1844),
        Map("R 3.1", "Cours du Rhin", "Rhein", 1797, True),
        Map("R 3.10", "Strom-Karte", "Rhein", 1849, True),
        Map("Z 7.2", "Zülpich, Feldmark", "Zülpich", 1821),
    ]
    loans = [
        Loan("K 12.9", "Okafor", date(2026, 10, 2)),
        Loan("Z 7.2", "Lindqvist", date(2026, 11, 20)),
    ]
    return [map_row(one) for one in maps], [loan_row(loan) for loan in loans]
