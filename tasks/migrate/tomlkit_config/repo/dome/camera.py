"""Exposures that fit into the wells of the chip."""

import math

from dome.oldini import fetch

MARGIN = 0.9


def saturates(electrons: float) -> bool:
    """Whether a star of this brightness is burnt out, a margin included."""
    return electrons >= MARGIN * float(fetch("camera", "full_well"))


def counts(electrons: float) -> int:
    """What the converter makes of it."""
    return math.floor(electrons / float(fetch("camera", "gain")))


def exposures(total_s: float, electrons_a_second: float) -> int:
    """Into how many exposures a total time is cut so that no star is burnt out."""
    number = 1
    while saturates(total_s / number * electrons_a_second):
        number += 1
    return number
