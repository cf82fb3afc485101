"""Weather alerts for the partners' drivers."""

from lookup.base import Service
from partner.held import held


class RoadWeather(Service):
    """The feed's rows are levels 0 to 4 by road."""

    @held(seconds=600, size=32)
    def level(self, road: str) -> int:
        """Level of the alert on a road."""
        return int(self.feed.fetch(road))

    def blocked(self, roads: list[str]) -> list[str]:
        """Roads that are shut to lorries."""
        return [road for road in roads if self.level(road) >= 3]
