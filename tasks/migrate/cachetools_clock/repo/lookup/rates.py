"""Exchange rates, good for two minutes."""

from decimal import ROUND_HALF_EVEN, Decimal
from itertools import pairwise

from lookup.base import Service
from lookup.wallcache import wall_cached

CENT = Decimal("0.01")


class RateBook(Service):
    """Converts amounts; the feed's rows are rates by (base, quote)."""

    @wall_cached(seconds=120, size=64)
    def rate(self, base: str, quote: str) -> Decimal:
        """Price of one unit of `base` in `quote`. Raises FeedError for unknown pairs."""
        if base == quote:
            return Decimal(1)
        return Decimal(self.feed.fetch((base, quote)))

    def convert(self, amount: Decimal, base: str, quote: str) -> Decimal:
        """The amount in the other currency, to the cent, ties to even."""
        return (amount * self.rate(base, quote)).quantize(CENT, ROUND_HALF_EVEN)

    def cross(self, amount: Decimal, *path: str) -> Decimal:
        """Convert along several currencies in turn, rounding at each."""
        for base, quote in pairwise(path):
            amount = self.convert(amount, base, quote)
        return amount
