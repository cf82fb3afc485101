"""Levels of the interface for plug-ins, oldest first.

A plug-in states the level that it was written for, and is refused by
a version that does not list it.
"""

LEVELS = [
    ("trees", "0.4"),
    ("visitors", "0.6"),
    ("folding", "0.8"),
]


def level_lines():
    """One line per level: name, blank-padded, and version."""
    width = max(len(name) for name, _ in LEVELS)
    return [f"{name:<{width}}  {since}" for name, since in LEVELS]


def has_level(name):
    """True where plug-ins of that level are taken."""
    return any(known == name for known, _ in LEVELS)
