"""Wrong codes as the front of the hosting company counts them."""

MISSES = {}


def failed(name):
    """Note a wrong code."""
    MISSES[name] = MISSES.get(name, 0) + 1


def locked(name):
    """True for a name that the front keeps outside."""
    return MISSES.get(name, 0) >= 50
