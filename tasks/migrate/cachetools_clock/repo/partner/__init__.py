"""Prices and quotes for the partners."""
