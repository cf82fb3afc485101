"""Tons on the pier's lamp board."""

from __future__ import annotations


def tonnage(kilograms: int) -> str:
    """Four digits, tons with one decimal."""
    tons = int(kilograms / 100) / 10
    return f"{tons:06.1f}"
