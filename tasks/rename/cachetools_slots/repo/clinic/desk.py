"""The registration desk: books places and gives them back."""

from cachetools import LRUCache

from clinic.keys import ward_key
from clinic.model import Slot
from clinic.store import Store

PREFIX = "opening/3"


class DeskError(Exception):
    """A booking that cannot be made; the text says why."""


class Desk:
    """Books in a store. `memory`: a mapping shared with other desks, by default one's own."""

    def __init__(self, store: Store, memory=None) -> None:
        self.store = store
        self.memory = LRUCache(64) if memory is None else memory

    def free_openings(self, ward: str, day: str) -> list[Slot]:
        """Places that nobody holds, from the memory while the store is unchanged."""
        key = (PREFIX, self.store.version, *ward_key(ward, day))
        if key not in self.memory:
            self.memory[key] = [slot for slot in self.store.of_day(ward, day) if slot.free]
        return self.memory[key]

    def book(self, ward: str, day: str, patient: str, opening_id: int | None = None) -> Slot:
        """Give the place, or the first free one. Raises DeskError where it is taken."""
        free = {slot.no: slot for slot in self.free_openings(ward, day)}
        if opening_id is None:
            opening_id = min(free, default=0)
        if opening_id not in free:
            raise DeskError(f"{ward} on {day}: no free place {opening_id or ''}".rstrip())
        return self.store.assign(ward, day, opening_id, patient)

    def give_back(self, slot: Slot) -> Slot:
        """Free a place. Raises DeskError where it is free already."""
        if slot.free:
            raise DeskError(f"{slot.ward} on {slot.day}: {slot.no} is free")
        return self.store.assign(slot.ward, slot.day, slot.no, None)
