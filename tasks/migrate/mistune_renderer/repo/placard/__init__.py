"""Placards of the village museum."""

MARKUP = 3
"""Number of the markup, so that a screen can tell whether its style sheet fits."""
