"""A mount that goes everywhere."""

from sim.ini import fetch


def can_point(altitude: float, hour_angle: float) -> bool:
    """Whether a place in the sky can be reached."""
    lowest = float(fetch("mount", "lowest_alt"))
    reach = float(fetch("mount", "reach_hours"))
    return altitude >= lowest and abs(hour_angle) <= reach
