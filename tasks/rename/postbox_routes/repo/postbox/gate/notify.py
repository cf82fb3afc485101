"""Notes that the courier's app shows; their text is fixed by the contract."""

from __future__ import annotations

NOTE = "Parcel for {owner}, see /open-letter/{ref}"


def note_for(owner: str, ref: int) -> str:
    """The line that the app shows for a parcel."""
    return NOTE.format(owner=owner, ref=ref)
