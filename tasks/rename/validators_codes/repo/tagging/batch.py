"""A whole delivery: rows of (piece, line) as the lane's file holds them."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from tagging.scanner import kind_of, stripped


def read_rows(text: str) -> list[tuple[int, str]]:
    """Rows of a delivery. Raises ValueError, naming the row, for one without a number."""
    rows = []
    for number, fields in enumerate(csv.reader(StringIO(text)), 1):
        if len(fields) != 2 or not fields[0].isdecimal():
            raise ValueError(f"row {number}: expected piece,line, found {fields}")
        rows.append((int(fields[0]), fields[1]))
    return rows


def checksum_errors(rows: Iterable[tuple[int, str]]) -> Iterator[str]:
    """One text for each row that no kind accepts."""
    for piece, line in rows:
        if kind_of(line) is None:
            yield f"piece {piece}: {stripped(line)}"


def doubles(rows: Iterable[tuple[int, str]]) -> list[str]:
    """Codes that occur more than once, in order of their second occurrence."""
    seen: set[str] = set()
    again = []
    for _, line in rows:
        code = stripped(line)
        if code in seen and code not in again:
            again.append(code)
        seen.add(code)
    return again


def summary(text: str) -> str:
    """One sentence about a delivery."""
    rows = read_rows(text)
    bad_sum = list(checksum_errors(rows))
    return f"{len(rows)} pieces, {len(bad_sum)} misread, {len(doubles(rows))} twice"
