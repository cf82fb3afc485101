"""Texts to patients on the day before."""

from collections.abc import Iterator
from datetime import date, timedelta

from clinic.compat import retired
from clinic.model import Slot
from clinic.store import Store


def patient_text(slot: Slot) -> str:
    """What a patient reads."""
    return f"Tomorrow {slot.start}, ward {slot.ward}, number {slot.no}. Please bring your card."


client_text = retired("client_text", patient_text, until="2.6")


def opening_reminders(store: Store, today: str) -> Iterator[tuple[str, str]]:
    """Patient and text for every place held tomorrow."""
    day = (date.fromisoformat(today) + timedelta(days=1)).isoformat()
    for ward in sorted(store.wards):
        for opening in store.of_day(ward, day):
            if not opening.free:
                yield opening.patient, patient_text(opening)


def late_text(ward: str, opening_id: int, minutes: int) -> str:
    """What is sent when a session runs late."""
    return f"Ward {ward} runs {minutes} min late, your number {opening_id} is kept."
