"""Elements of the travelling exhibition."""
