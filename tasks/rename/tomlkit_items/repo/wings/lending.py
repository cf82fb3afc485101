"""Slips for what is lent to other houses. People sign them, so the text is fixed."""

from tomlkit.items import Table

from wings.store import item_by_mark


class NotToBeLent(ValueError):
    """It is broken, or somebody has it."""


def lend_items(rows: list[Table], marks: list[str], borrower: str) -> str:
    """Note the borrower in each row; the slip that goes with them. Raises NotToBeLent."""
    lines = []
    for mark in marks:
        row = item_by_mark(rows, mark)
        if "broken" in row or "lent" in row:
            raise NotToBeLent(f"{mark}: {row.get('broken', row.get('lent'))}")
        lines.append(f"{mark}  {row['name']}")
    for mark in marks:
        item_by_mark(rows, mark)["lent"] = borrower
    return "\n".join([f"Lent to {borrower}:", *lines, "", "Signed ______________"])


def take_back(rows: list[Table], mark: str) -> None:
    """Something has come home."""
    del item_by_mark(rows, mark)["lent"]
