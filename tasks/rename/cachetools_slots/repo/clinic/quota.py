"""How many places a ward may still hand out."""

from cachetools.func import lru_cache

from clinic.store import Store

SHARE_ONLINE = 0.6


@lru_cache(maxsize=128)
def online_part(limit: int) -> int:
    """Places of a ward that are sold online, rounded down."""
    return int(limit * SHARE_ONLINE)


def openings_left(store: Store, ward: str, day: str) -> int:
    """Places below the ward's limit that are still free."""
    held = sum(not slot.free for slot in store.of_day(ward, day))
    return max(0, store.wards[ward].limit - held)


def sold_online(store: Store, ward: str, day: str, opening_id: int) -> bool:
    """Whether a number belongs to the online part; online numbers come first."""
    if not openings_left(store, ward, day):
        return False
    return opening_id <= online_part(store.wards[ward].limit)
