"""Season tickets."""

from dataclasses import dataclass

from garage.base import GateError
from garage.ledger import Ledger
from validators import length


@dataclass(frozen=True)
class Permit:
    """`until` in hours since the opening."""

    holder: str
    until: float


class Permits:
    """Season tickets by holder."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._permits: dict[str, Permit] = {}

    def sell(self, holder: str, at: float, days: int) -> Permit:
        """A season ticket, or more days on one. Raises GateError for a holder without a name."""
        if not length(holder.strip(), min_val=2, max_val=60):
            raise GateError("a season ticket needs the holder's name")
        known = self._permits.get(holder)
        start = max(at, known.until) if known else at
        self._permits[holder] = Permit(holder, start + 24 * days)
        return self._permits[holder]

    def valid(self, holder: str, at: float) -> bool:
        """True while the holder's ticket lasts."""
        permit = self._permits.get(holder)
        return permit is not None and at < permit.until
