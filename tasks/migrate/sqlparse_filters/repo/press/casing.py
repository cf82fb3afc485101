"""Capitals at the press: for machines without small letters."""

from __future__ import annotations


def apply(text: str) -> str:
    """Everything in capitals."""
    return text.upper()
