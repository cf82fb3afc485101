"""Screens of the platform team."""
