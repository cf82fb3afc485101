"""Things in the order of the colour wheel, for the lighting people's big table."""

from collections.abc import Iterable

from tomlkit.items import Table

WHEEL = ["red", "brown", "gold", "brass", "green", "blue", "black"]


def wheel_prop_set(rows: Iterable[Table]) -> list[Table]:
    """Everything, in the order of the wheel; what is not on it comes last."""
    return sorted(rows, key=lambda row: (_place(row["colour"]), row["mark"]))


def next_colour(colour: str) -> str:
    """The colour that follows on the wheel."""
    return WHEEL[(_place(colour) + 1) % len(WHEEL)]


def _place(colour: str) -> int:
    return WHEEL.index(colour) if colour in WHEEL else len(WHEEL)


def wheel_table(rows: Iterable[Table]) -> str:
    """A line each: colour, mark, name."""
    turned = wheel_prop_set(rows)
    return "\n".join(f"{row['colour']:<8}{row['mark']}  {row['name']}" for row in turned)
