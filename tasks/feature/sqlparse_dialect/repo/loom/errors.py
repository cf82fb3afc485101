"""The error that the desk shows to people."""

from __future__ import annotations


class LoomError(Exception):
    """Something that whoever sits at the desk can put right; the text says what."""
