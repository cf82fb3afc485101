"""The kit that came with the cameras."""
