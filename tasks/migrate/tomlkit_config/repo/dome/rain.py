"""When the roof closes for rain, and when it may open again."""

from dome.oldini import fetch


def must_close(millimetres: float) -> bool:
    """Whether the gauge shows too much for the mirror."""
    return millimetres > float(fetch("rain", "limit_mm"))


def may_open(dry_minutes: float) -> bool:
    """Whether it has been dry for long enough."""
    return dry_minutes >= float(fetch("rain", "dry_min"))


def closed_minutes(gauge: list[float]) -> int:
    """For how many of these minutes the roof is shut; one value of the gauge a minute."""
    shut, dry, minutes = False, 0, 0
    for millimetres in gauge:
        dry = 0 if millimetres > 0 else dry + 1
        if must_close(millimetres):
            shut = True
        elif shut and may_open(dry):
            shut = False
        minutes += shut
    return minutes
