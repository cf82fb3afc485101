"""The daily report for the head nurse."""

from cachetools import TTLCache

from clinic.keys import ward_key
from clinic.store import Store

PREFIX = "opening/3"
SECONDS = 300


class DayReport:
    """Counts of a store, kept for some minutes."""

    def __init__(self, store: Store, memory=None) -> None:
        self.store = store
        self.memory = TTLCache(32, SECONDS) if memory is None else memory

    def opening_counts(self, ward: str, day: str) -> tuple[int, int]:
        """Places held, and places in all."""
        key = (PREFIX, *ward_key(ward, day))
        if key not in self.memory:
            openings = self.store.of_day(ward, day)
            self.memory[key] = sum(not opening.free for opening in openings), len(openings)
        return self.memory[key]

    def lines(self, day: str) -> list[str]:
        """A line a ward, the fullest first."""
        counts = {ward: self.opening_counts(ward, day) for ward in self.store.wards}
        order = sorted(counts, key=lambda ward: (-counts[ward][0], ward))
        return [f"{ward}: {counts[ward][0]} of {counts[ward][1]}" for ward in order]

    def last_held(self, ward: str, day: str) -> int:
        """The highest number that is held, 0 for none."""
        opening_id = 0
        for slot in self.store.of_day(ward, day):
            if not slot.free:
                opening_id = slot.no
        return opening_id
