"""The camera's own display, two digits."""


def welcome(frames: int) -> str:
    """Number of frames that were used."""
    return f"{min(frames, 99):02d}"
