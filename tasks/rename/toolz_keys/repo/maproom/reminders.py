"""Letters to readers who have a map."""

from toolz import groupby

from maproom.model import Row


def letters(loans: list[Row]) -> dict[str, str]:
    """Text by reader."""
    texts = {}
    for reader, held in groupby("reader", loans).items():
        keys = ", ".join(sorted(loan["key"] for loan in held))
        due = min(loan["due"] for loan in held)
        texts[reader] = f"Please bring back {keys} by {due:%d %B}."
    return texts


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """Readers with their texts."""
    return [f"{reader}: {text}" for reader, text in sorted(letters(loans).items())]
