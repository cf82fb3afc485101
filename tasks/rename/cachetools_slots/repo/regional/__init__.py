"""Adapters of the district platform."""
