"""Noises that go with what is on stage."""

from tomlkit.items import Table

from wings import store

NOISES = {"C007": "squeak", "B020": "creak"}


def cue(rows: list[Table], mark: str) -> str:
    """The noise for a mark, with the name of what makes it."""
    return f"{NOISES.get(mark, 'none')}: {store.item_by_mark(rows, mark)['name']}"
