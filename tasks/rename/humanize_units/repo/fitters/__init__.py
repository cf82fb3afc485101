"""Helpers in the firmware of the controllers."""
