"""The row above the ramp: sixteen characters."""

from garage.base import tidy
from garage.entry import PLACES, Arrival, Entry

WIDTH = 16


def welcome(arrival: Arrival) -> str:
    """What a driver sees whose car has been let in."""
    return f"TICKET {arrival.ticket}".center(WIDTH).rstrip()


def free_places(entry: Entry) -> str:
    """The row while nobody is at the barrier."""
    free = PLACES - len(entry.inside)
    return f"{free} FREE".center(WIDTH).rstrip() if free else tidy("full").center(WIDTH).rstrip()
