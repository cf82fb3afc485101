"""A quick look at code and data: `python -m clinic.selfcheck --data FILE`."""

import argparse
import importlib
import sys

from clinic.store import Store

MODULES = ("board", "desk", "keys", "quota", "reminders", "report", "waitlist", "wire")


def problems(store: Store) -> list[str]:
    """What is wrong with the data, one line each."""
    found = []
    for ward in store.wards.values():
        first, last = ward.opening_hours
        for day in store.days():
            slots = store.of_day(ward.name, day)
            if len(slots) > ward.limit:
                found.append(f"{ward.name} {day}: {len(slots)} places, limit {ward.limit}")
            outside = [slot.no for slot in slots if not first <= slot.start <= last]
            found.extend(f"{ward.name} {day}: {no} outside the hours" for no in outside)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="clinic.selfcheck")
    parser.add_argument("--data", default="/srv/clinic/house.json")
    path = parser.parse_args().data
    for name in MODULES:
        importlib.import_module(f"clinic.{name}")
    try:
        store = Store.load(path)
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return 2
    found = problems(store)
    print("\n".join(found) or f"{len(store.days())} days: fine")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
