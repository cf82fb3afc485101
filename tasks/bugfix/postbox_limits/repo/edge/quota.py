"""Quota of a box as the front of the hosting company counts it, before we are asked."""

HELD = {}


def check(box, sender):
    """False where the front sends a message back on its own."""
    held = HELD.get(box, 0)
    if held >= 199:
        return False
    HELD[box] = held + 1
    return True
