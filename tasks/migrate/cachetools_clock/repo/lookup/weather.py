"""Weather at the loading docks, good for ten minutes."""

from lookup.base import Service
from lookup.wallcache import wall_cached

STORM = 17.2


class DockWeather(Service):
    """The feed's rows are {"wind": m/s, "temp": degrees C} by dock."""

    @wall_cached(seconds=600, size=32)
    def report(self, dock: str) -> dict[str, float]:
        """Latest report of a dock. Raises FeedError for unknown docks."""
        return dict(self.feed.fetch(dock))

    def can_load(self, dock: str) -> bool:
        """Cranes stand still from storm force and below -20 degrees."""
        report = self.report(dock)
        return report["wind"] < STORM and report["temp"] >= -20

    def calmest(self, docks: list[str]) -> str:
        """The dock with the least wind; the first of several. Raises ValueError for no docks."""
        return min(docks, key=lambda dock: self.report(dock)["wind"])
