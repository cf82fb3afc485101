"""What this version of the language can do.

Other programs ask `abacus --features` before they send a line, so a
feature is listed once, with the version that brought it, oldest first.
"""

FEATURES = [
    ("assignment", "0.2"),
    ("functions", "0.3"),
    ("comments", "0.4"),
    ("grouping", "0.6"),
    ("modulo", "0.8"),
]


def feature_lines():
    """One line per feature: name, blank-padded, and version."""
    width = max(len(name) for name, _ in FEATURES)
    return [f"{name:<{width}}  {since}" for name, since in FEATURES]


def has_feature(name):
    """True where the language has the feature."""
    return any(known == name for known, _ in FEATURES)
