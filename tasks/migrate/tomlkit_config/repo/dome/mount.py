"""Where the telescope may point."""

from dome.oldini import fetch


def can_point(altitude: float, hour_angle: float) -> bool:
    """Whether a place in the sky (degrees, hours) is above the hedge and within reach."""
    lowest = float(fetch("mount", "lowest_alt"))
    reach = float(fetch("mount", "reach_hours"))
    return altitude >= lowest and abs(hour_angle) <= reach


def turned(hour_angle: float) -> float:
    """The same hour angle between -12 and 12."""
    return (hour_angle + 12) % 24 - 12


def time_left(hour_angle: float) -> float:
    """Hours until the mount has to flip, for something that can be seen now."""
    return 12.0 if turned(hour_angle) >= 0 else -turned(hour_angle)
