"""Patients who wait for a place to come back."""

from cachetools import FIFOCache

from clinic.desk import Desk
from clinic.model import Slot

PLACES = 20


class OpeningWatch:
    """Who waits for what. With more than `PLACES` waiting, the oldest wish is dropped."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.wishes = FIFOCache(PLACES)

    def wish(self, patient: str, ward: str, day: str) -> None:
        """Note a wish; the same patient's older one for that day is replaced."""
        self.wishes[patient, day] = ward

    def opening_back(self, ward: str, day: str, opening_id: int) -> Slot | None:
        """Give a place that came back to who has waited longest for it."""
        for (patient, wanted_day), wanted_ward in list(self.wishes.items()):
            if (wanted_ward, wanted_day) == (ward, day):
                del self.wishes[patient, wanted_day]
                return self.desk.book(ward, day, patient, opening_id)
        return None


def watch(desk: Desk) -> OpeningWatch:
    """An empty list for a desk."""
    return OpeningWatch(desk)
