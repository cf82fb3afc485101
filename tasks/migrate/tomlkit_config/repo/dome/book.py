"""The book: settings with their numbers as numbers and with the remarks of the shift."""

from pathlib import Path

from tomlkit.items import Table
from tomlkit.toml_file import TOMLFile

BOOK = Path(__file__).resolve().parent.parent / "conf" / "dome.toml"


def sheet(name: str) -> Table:
    """One table of the book as it is in the file. Raises KeyError where it is missing."""
    return TOMLFile(BOOK).read()[name]
