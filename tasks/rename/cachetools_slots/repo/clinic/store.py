"""The rows of the house, from a JSON file."""

import json
from collections.abc import Iterable
from dataclasses import replace

from clinic.model import Slot, Ward


class Store:
    """All places and wards. `version` grows with every change."""

    def __init__(self, slots: Iterable[Slot], wards: Iterable[Ward]) -> None:
        self.wards = {ward.name: ward for ward in wards}
        self.version = 0
        self._rows = {(slot.ward, slot.day, slot.no): slot for slot in slots}

    @classmethod
    def load(cls, path: str) -> "Store":
        """Read a file. Raises OSError where it cannot be read."""
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        wards = [Ward(w["name"], tuple(w["opening_hours"]), w["limit"]) for w in data["wards"]]
        return cls((Slot(**row) for row in data["rows"]), wards)

    def of_day(self, ward: str, day: str) -> list[Slot]:
        """Places of a ward on a day, by number."""
        found = [s for s in self._rows.values() if (s.ward, s.day) == (ward, day)]
        return sorted(found, key=lambda slot: slot.no)

    def days(self) -> list[str]:
        return sorted({slot.day for slot in self._rows.values()})

    def assign(self, ward: str, day: str, no: int, patient: str | None) -> Slot:
        """Give a place to a patient, or free it. Raises KeyError where there is none."""
        slot = replace(self._rows[ward, day, no], patient=patient)
        self._rows[ward, day, no] = slot
        self.version += 1
        return slot
