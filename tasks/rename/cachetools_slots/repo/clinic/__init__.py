"""Numbered places in outpatient sessions."""

__version__ = "2.5"
