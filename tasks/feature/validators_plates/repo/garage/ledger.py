"""What happened, line by line; every line has an hour at which it is forgotten."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    kind: str
    key: str
    at: float
    until: float


@dataclass
class Ledger:
    """Times are hours since the opening of the car park."""

    lines: list[Line] = field(default_factory=list)

    def keep(self, kind: str, key: str, at: float, *, hours: float) -> None:
        """Write a line that is forgotten after some hours. Raises ValueError for none."""
        if hours <= 0:
            raise ValueError(f"a line has to be kept for a while, found {hours} hours")
        self.lines.append(Line(kind, key, at, at + hours))

    def forget(self, now: float) -> int:
        """Drop what is over; how many lines that were."""
        kept = [line for line in self.lines if line.until > now]
        gone = len(self.lines) - len(kept)
        self.lines = kept
        return gone

    def of_kind(self, kind: str) -> list[Line]:
        """Lines of one kind, in order."""
        return [line for line in self.lines if line.kind == kind]
