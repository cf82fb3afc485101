"""What owners set for their invoices."""

from __future__ import annotations

ON_PAPER: set[str] = set()


def paper_post(owner: str) -> None:
    """An owner wants invoices on paper."""
    ON_PAPER.add(owner)
