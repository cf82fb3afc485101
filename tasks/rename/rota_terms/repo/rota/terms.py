"""Words of the trade that have been replaced, with their running numbers.

The support desk reads the list through `rota terms` when a customer uses an old word.
"""

REPLACED: tuple[tuple[int, str, str], ...] = (
    (1, "turn", "shift"),
    (2, "importance", "level"),
)


def term_lines() -> list[str]:
    """One line for each word."""
    return [f"{number:>3}  {old} -> {new}" for number, old, new in REPLACED]
