"""Customs tariffs by goods code, good for half an hour."""

from decimal import Decimal

from lookup.base import Service
from lookup.wallcache import wall_cached


class TariffBook(Service):
    """The feed's rows are percentages, as text, by goods code of 4, 6 or 8 digits."""

    @wall_cached(seconds=1800, size=300)
    def percent(self, code: str) -> Decimal:
        """Tariff of a goods code. Raises FeedError for unknown codes."""
        return Decimal(self.feed.fetch(code))

    def duty(self, code: str, value: Decimal) -> Decimal:
        """Duty on goods of a value, to the cent."""
        return (value * self.percent(code) / 100).quantize(Decimal("0.01"))

    def worst(self, codes: list[str]) -> str:
        """The code with the highest tariff; the first of several."""
        return max(codes, key=self.percent)
