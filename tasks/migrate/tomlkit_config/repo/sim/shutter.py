"""A slit without ice."""

from sim.ini import fetch


def opening_seconds() -> float:
    """Seconds until the slit is open."""
    width = float(fetch("shutter", "width_cm"))
    speed = float(fetch("shutter", "speed_cm"))
    return width / speed
