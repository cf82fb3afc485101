"""Readings of a day, one every ten minutes."""

from dataclasses import dataclass

STEP = 10
A_DAY = 144


@dataclass(frozen=True)
class Reading:
    """One reading: minute of the day, centimetres, tenths of millimetres, percent open."""

    at: int
    level: int
    rain: int
    gate: int


def pulse(at: int, top: int, width: int, height: int) -> int:
    """A flood that comes and goes in straight lines around the minute `top`."""
    return max(0, height - abs(at - top) * height // width)


def replay(missing: tuple[int, ...] = (50, 51, 97)) -> list[Reading]:
    """A day with two floods, a shower and some readings that never came."""
    readings = []
    for n in range(A_DAY):
        at = n * STEP
        if n in missing:
            continue
        level = 118 + pulse(at, 420, 180, 64) + pulse(at, 1020, 120, 39) + (n * 7) % 3
        rain = pulse(at, 360, 90, 14)
        gate = min(100, 20 + pulse(at, 450, 240, 80))
        readings.append(Reading(at, level, rain, gate))
    return readings


def clock(at: int) -> str:
    """Minute of the day as hh:mm."""
    return f"{at // 60:02d}:{at % 60:02d}"
