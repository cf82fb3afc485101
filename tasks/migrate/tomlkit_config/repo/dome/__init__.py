"""Programs of a small observatory: what may move, when, and by how much."""
