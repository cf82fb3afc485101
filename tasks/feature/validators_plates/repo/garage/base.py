"""What both barriers need."""

from dataclasses import dataclass

from validators import between

SURE_ENOUGH = 0.8


class GateError(RuntimeError):
    """A barrier stays down. The text is shown to the driver and kept in the log."""


@dataclass(frozen=True)
class Reading:
    """What a camera has read. `country`: two letters; `certainty`: 0 to 1."""

    text: str
    country: str
    certainty: float

    @property
    def is_sure(self) -> bool:
        return bool(between(self.certainty, min_val=SURE_ENOUGH, max_val=1.0))


def tidy(text: str) -> str:
    """Capitals, with single blanks where there were blanks, dots or hyphens."""
    for mark in ".-·":
        text = text.replace(mark, " ")
    return " ".join(text.upper().split())
