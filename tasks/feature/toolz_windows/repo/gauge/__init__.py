"""One station on the river: series derived from its readings."""
