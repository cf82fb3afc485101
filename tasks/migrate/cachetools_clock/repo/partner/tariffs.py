"""Tariffs that the partners have agreed with us, by contract."""

from decimal import Decimal

from lookup.base import Service
from partner.held import held


class ContractTariffs(Service):
    """The feed's rows are percentages, as text, by (contract, goods code)."""

    @held(seconds=1800, size=300)
    def percent(self, contract: str, code: str) -> Decimal:
        """Tariff of a goods code under a contract."""
        return Decimal(self.feed.fetch((contract, code)))
