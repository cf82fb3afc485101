"""Passes for sheets of version 0.5, whose results are on file."""
