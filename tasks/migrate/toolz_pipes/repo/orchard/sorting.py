"""The sorting table: grades and sweetness."""

from orchard.flow import Flow
from orchard.ledger import Season

SWEET = 12.0


def grade_weights(rows):
    """Kilograms by grade; whatever is worse than the second grade counts as "juice"."""
    return Flow(rows).sums(lambda row: row["grade"] if row["grade"] < 3 else "juice", "kg")


def sweet_blocks(rows):
    """Blocks with sweet fruit, and how many bins of it."""
    return Flow(rows).where(lambda row: row["brix"] >= SWEET).counts("block")


def report(season: Season) -> list[str]:
    """Lines by grade, then the blocks worth a visit."""
    grades = grade_weights(season.picked)
    lines = [f"{grade}: {kg} kg" for grade, kg in sorted(grades.items(), key=str)]
    return [*lines, f"sweet: {', '.join(sorted(sweet_blocks(season.picked)))}"]
