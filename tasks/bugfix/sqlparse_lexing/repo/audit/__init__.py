"""Sheets of the internal auditors."""
