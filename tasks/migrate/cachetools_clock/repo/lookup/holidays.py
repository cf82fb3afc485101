"""Bank holidays by country and year, good for a quarter of an hour."""

from datetime import date, timedelta

from lookup.base import Service
from lookup.wallcache import wall_cached


class HolidayBook(Service):
    """The feed's rows are lists of ISO dates by (country, year)."""

    @wall_cached(seconds=900, size=128)
    def days(self, country: str, year: int) -> frozenset[date]:
        """All bank holidays of a year. Raises FeedError for unknown countries."""
        return frozenset(date.fromisoformat(day) for day in self.feed.fetch((country, year)))

    def is_open(self, country: str, day: date) -> bool:
        """True on weekdays that are no bank holiday."""
        return day.weekday() < 5 and day not in self.days(country, day.year)

    def next_open(self, country: str, day: date) -> date:
        """The day itself or the first open one after it."""
        while not self.is_open(country, day):
            day += timedelta(days=1)
        return day
