"""Kit lists of the caving club."""

LAYOUT = 7
"""Raised whenever printed paper looks different, so that old sheets can be told."""
