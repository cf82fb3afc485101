"""What the house hands out."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Slot:
    """A numbered place. `day` as 2026-03-02, `start` as 08:30; nobody holds a free one."""

    no: int
    ward: str
    day: str
    start: str
    patient: str | None = None

    @property
    def free(self) -> bool:
        return self.patient is None


@dataclass(frozen=True)
class Ward:
    """A ward; `opening_hours` as ("08:00", "11:30"), `limit` places a day at most."""

    name: str
    opening_hours: tuple[str, str]
    limit: int
