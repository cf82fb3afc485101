"""When the roof closes for wind."""

from dome.book import sheet


def read_gusts() -> tuple[float, float]:
    """Gust (km/h) at which the roof closes, minutes of calm before it opens."""
    wind = sheet("wind")
    return wind["gust_kmh"], wind["calm_min"]


def must_close(kmh: float) -> bool:
    """Whether a gust is too strong for the open slit."""
    return kmh > read_gusts()[0]


def may_open(calm_minutes: float) -> bool:
    """Whether it has been calm for long enough."""
    return calm_minutes >= read_gusts()[1]
