"""What goes to the market stall."""

from orchard.flow import Flow
from orchard.ledger import Season

STALL_KG = 100


def stall_weights(rows):
    """Kilograms of table fruit by variety."""
    return Flow(rows).where(lambda row: row["grade"] < 3).sums("variety", "kg")


def weekday_cents(sales):
    """Cents taken by day of the week, Monday is 1."""
    return Flow(sales).sums(
        lambda sale: sale["day"].isoweekday(), lambda sale: sale["kg"] * sale["cents"]
    )


def report(season: Season) -> list[str]:
    """Crates to load by variety."""
    weights = sorted(stall_weights(season.picked).items())
    return [f"{variety}: {-(-kg // STALL_KG)} loads" for variety, kg in weights]
