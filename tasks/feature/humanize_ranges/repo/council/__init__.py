"""Numbers on the signposts."""
