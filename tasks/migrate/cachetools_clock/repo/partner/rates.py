"""Exchange rates as the partners see them: with a margin, in basis points."""

from decimal import Decimal

from lookup.base import Service
from partner.held import held


class PartnerRates(Service):
    """The feed's rows are (rate, margin) by (base, quote)."""

    @held(seconds=120, size=64)
    def rate(self, base: str, quote: str) -> Decimal:
        """Price of one unit with the margin on top."""
        rate, margin = self.feed.fetch((base, quote))
        return Decimal(rate) * (1 + Decimal(margin) / 10_000)
