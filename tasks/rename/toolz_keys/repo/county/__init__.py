"""The archive of the county: maps of its parishes."""
