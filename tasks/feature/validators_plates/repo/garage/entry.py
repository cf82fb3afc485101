"""The barrier at the ramp."""

from dataclasses import dataclass

from garage.base import GateError
from garage.ledger import Ledger

PLACES = 240


@dataclass(frozen=True)
class Arrival:
    ticket: int
    at: float


class Entry:
    """Hands out tickets. `inside`: arrivals by ticket."""

    def __init__(self, ledger: Ledger, first: int = 1001) -> None:
        self.ledger = ledger
        self.ticket = first
        self.inside: dict[int, Arrival] = {}

    def arrive(self, at: float) -> Arrival:
        """Let a car in. Raises GateError where all places are taken."""
        if len(self.inside) >= PLACES:
            raise GateError("all places are taken")
        arrival = Arrival(self.ticket, at)
        self.inside[arrival.ticket] = arrival
        self.ticket += 1
        self.ledger.keep("arrival", str(arrival.ticket), at, hours=24)
        return arrival
