"""Size of the log on the card."""

from __future__ import annotations

import humanize

from panel.row import Row


def log_row(bus) -> Row:
    """The log's size in decimal multiples of a byte."""
    text = humanize.naturalsize(bus.read("log"))
    return Row("Log", text, text.rpartition(" ")[2])
