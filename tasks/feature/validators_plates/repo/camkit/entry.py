"""The camera at the ramp: frames in, a reading out."""


class EntryCamera:
    """Keeps the best of the last frames."""

    def __init__(self, frames: int = 5) -> None:
        self.frames = frames
        self.seen: list[tuple[float, str]] = []

    def arrive(self, text: str, certainty: float) -> str:
        """The text that was surest among the last frames."""
        self.seen = [*self.seen, (certainty, text)][-self.frames :]
        return max(self.seen)[1]
