"""The slit of the dome and how long it takes."""

from dome.oldini import fetch

ICE_SPEED = 0.5
"""With ice on the rail everything takes twice as long."""


def opening_seconds(icy: bool = False) -> float:
    """Seconds from the button until the slit is open; the rail heater runs first if it is icy."""
    width = float(fetch("shutter", "width_cm"))
    speed = float(fetch("shutter", "speed_cm"))
    heating = float(fetch("shutter", "heater_s")) if icy else 0.0
    return heating + width / (speed * (ICE_SPEED if icy else 1))


def latest_start(open_at: float, icy: bool = False) -> float:
    """When to press the button, in seconds of the day, to be open at a time."""
    return open_at - opening_seconds(icy)
