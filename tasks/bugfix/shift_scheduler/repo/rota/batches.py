"""Batches of corrections that have gone into this version, with their running numbers.

The support desk reads the list through `rota batches`: one entry for each batch, numbers without
gaps, the newest last.
"""

BATCHES: tuple[tuple[int, str], ...] = (
    (1, "import-dates"),
    (2, "swap-requests"),
    (3, "holiday-pay"),
)


def batch_lines() -> list[str]:
    """One line for each batch."""
    return [f"{number:>3}  {name}" for number, name in BATCHES]
