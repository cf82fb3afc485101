"""Corrections that changed printed results, oldest first.

Sheets that were checked by hand name the correction they were checked
against; `abacus --fixes` prints the list.
"""

FIXES = [
    ("caret-column", "0.8.2"),
    ("empty-sum", "0.8.3"),
    ("long-mantissa", "0.8.4"),
]


def fix_lines():
    """One line per correction: name, blank-padded, and version."""
    width = max(len(name) for name, _ in FIXES)
    return [f"{name:<{width}}  {since}" for name, since in FIXES]


def is_fixed(name):
    """True where the installed version has the correction."""
    return any(known == name for known, _ in FIXES)
