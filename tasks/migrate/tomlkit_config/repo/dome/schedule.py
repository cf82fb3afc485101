"""The night in slots."""

from dome.oldini import fetch


def night_slots(dusk: int, dawn: int) -> list[tuple[int, int]]:
    """Whole slots between dusk and dawn (minutes), after the calibration."""
    length = int(fetch("schedule", "slot_min"))
    start = dusk + int(fetch("schedule", "calibration_min"))
    slots = []
    while start + length <= dawn:
        slots.append((start, start + length))
        start += length
    return slots


def lost_minutes(dusk: int, dawn: int) -> int:
    """Dark minutes that fall into no slot."""
    return dawn - dusk - sum(end - start for start, end in night_slots(dusk, dawn))
