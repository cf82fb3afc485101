"""The one place that knows what time it is."""

import os
from datetime import UTC, date, datetime


def now_at() -> datetime:
    """This moment, as UTC. Raises SystemExit where neither CELLAR_CLOCK nor the scale tells it."""
    given = os.environ.get("CELLAR_CLOCK")
    if not given:
        raise SystemExit("the scale, whose clock is used, does not answer on /dev/ttyS1")
    return datetime.fromisoformat(given).replace(tzinfo=UTC)


def today_on() -> date:
    """This day."""
    return now_at().date()
