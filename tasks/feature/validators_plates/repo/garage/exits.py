"""The barrier at the back, and the fee."""

from math import ceil

from garage.base import GateError
from garage.entry import Arrival, Entry
from garage.ledger import Ledger

FREE_HOURS = 0.25
CENTS_PER_HOUR = 180
DAY_CENTS = 1400


def fee(hours: float) -> int:
    """Cents for a stay: by the started hour, with a ceiling for each day."""
    if hours <= FREE_HOURS:
        return 0
    days, rest = divmod(hours, 24)
    return int(days) * DAY_CENTS + min(DAY_CENTS, ceil(rest) * CENTS_PER_HOUR)


class Exit:
    """Lets cars out that have paid."""

    def __init__(self, entry: Entry, ledger: Ledger) -> None:
        self.entry = entry
        self.ledger = ledger

    def leave(self, ticket: int, at: float, paid: int) -> Arrival:
        """Let a car out. Raises GateError for an unknown ticket, or where money is missing."""
        arrival = self.entry.inside.get(ticket)
        if arrival is None:
            raise GateError("this ticket is not inside")
        if paid < fee(at - arrival.at):
            raise GateError("the fee has not been paid in full")
        del self.entry.inside[ticket]
        self.ledger.keep("leave", str(ticket), at, hours=24)
        return arrival
