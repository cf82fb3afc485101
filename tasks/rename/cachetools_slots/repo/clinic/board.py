"""The board in the hall: which numbers are called, ward by ward."""

from clinic.model import Slot
from clinic.store import Store

WIDTH = 24


def openingLine(slot: Slot) -> str:
    """One row: number, time, and whether somebody is expected."""
    state = "free" if slot.free else "expected"
    return f"{slot.no:>3}  {slot.start}  {state}".ljust(WIDTH)


def opening_board(store: Store, ward: str, day: str, since: str = "00:00") -> list[str]:
    """Rows of a ward from a time of day on, under a headline."""
    rows = [openingLine(slot) for slot in store.of_day(ward, day) if slot.start >= since]
    return [f"{ward} {day}".ljust(WIDTH), *rows]


def called(store: Store, ward: str, day: str, opening_id: int) -> str:
    """What the loudspeaker says. Raises LookupError where nobody holds the place."""
    for slot in store.of_day(ward, day):
        if slot.no == opening_id and not slot.free:
            return f"Number {opening_id}, ward {ward}, please."
    raise LookupError(f"nobody holds {opening_id} in {ward}")
