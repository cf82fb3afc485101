"""What the district platform is sent: JSON with names that were agreed years ago."""

import hashlib
import json

from clinic.model import Slot
from clinic.store import Store

VERSION = 3


def opening_record(slot: Slot) -> dict:
    """One record. Patients are sent as a digest."""
    holder = "" if slot.free else hashlib.sha256(slot.patient.encode("utf-8")).hexdigest()[:12]
    return {
        "sourceNo": f"{slot.ward}-{slot.day}-{slot.no:03}",
        "begin": f"{slot.day}T{slot.start}",
        "holder": holder,
    }


def batch(store: Store, day: str) -> str:
    """All records of a day as one text, wards in the order of the alphabet."""
    openings = [slot for ward in sorted(store.wards) for slot in store.of_day(ward, day)]
    records = [opening_record(opening) for opening in openings]
    return json.dumps({"version": VERSION, "records": records}, sort_keys=True)


def number_of(record: dict) -> int:
    """The number of the place that a record speaks of. Raises ValueError for foreign ones."""
    opening_id = record["sourceNo"].rpartition("-")[2]
    if not opening_id.isdigit():
        raise ValueError(f"no number in {record['sourceNo']!r}")
    return int(opening_id)
