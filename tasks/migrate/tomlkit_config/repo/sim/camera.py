"""A chip without noise."""

from sim.ini import fetch


def saturates(electrons: float) -> bool:
    """Whether a star is burnt out."""
    return electrons >= float(fetch("camera", "full_well"))
