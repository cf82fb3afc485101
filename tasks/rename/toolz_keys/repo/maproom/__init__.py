"""The desk of a map collection."""
