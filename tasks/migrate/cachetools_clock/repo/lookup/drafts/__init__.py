"""Sketches that no service uses."""
