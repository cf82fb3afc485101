"""Delivery zones by postcode area, good for a day."""

from lookup.base import Service
from lookup.wallcache import wall_cached

SURCHARGE = {"inner": 0, "outer": 450, "island": 1900}


class ZoneMap(Service):
    """The feed's rows are zone names by postcode area."""

    @wall_cached(seconds=86400, size=200)
    def zone(self, area: str) -> str:
        """Zone of an area. Raises FeedError for unknown areas, ValueError for unknown zones."""
        name = self.feed.fetch(area)
        if name not in SURCHARGE:
            raise ValueError(f"area {area}: unknown zone {name!r}")
        return name

    def surcharge(self, area: str) -> int:
        """Surcharge for a parcel, in cents."""
        return SURCHARGE[self.zone(area)]

    def dearest(self, areas: list[str]) -> int:
        """Highest surcharge among several areas; 0 for none."""
        return max((self.surcharge(area) for area in areas), default=0)
