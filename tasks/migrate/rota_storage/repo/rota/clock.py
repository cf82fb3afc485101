"""Moments and days of the site.

Everything inside the scheduler is an aware datetime in UTC. The site's own offset comes from the
environment variable ROTA_TZ, written like +05:30; without it the site lives on UTC.
"""

import os
import re
from datetime import date, datetime, time, timedelta, timezone

from rota import RotaError

OFFSET = re.compile(r"([+-])(\d{2}):(\d{2})")


def site_offset() -> timezone:
    """The fixed offset of the site."""
    text = os.environ.get("ROTA_TZ", "+00:00")
    match = OFFSET.fullmatch(text)
    if match is None:
        raise RotaError(f"ROTA_TZ: expected an offset like +05:30, found {text!r}")
    sign = -1 if match[1] == "-" else 1
    return timezone(sign * timedelta(hours=int(match[2]), minutes=int(match[3])))


def utc_now() -> datetime:
    """The current moment, cut to the minute."""
    return datetime.now(timezone.utc).replace(second=0, microsecond=0)


def to_site(moment: datetime) -> datetime:
    """The same moment on the site's wall clock."""
    return moment.astimezone(site_offset())


def site_day(moment: datetime) -> date:
    """The calendar day on which the site sees this moment."""
    return to_site(moment).date()


def day_start(day: date) -> datetime:
    """The first moment of a site day, in UTC."""
    return datetime.combine(day, time(), site_offset()).astimezone(timezone.utc)


def format_stamp(moment: datetime) -> str:
    """Text for files and screens: site time with its offset, to the minute."""
    return to_site(moment).isoformat(timespec="minutes")


def parse_day(text: str) -> date:
    """A calendar day from YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise RotaError(f"expected a day like 2025-03-01, found {text!r}") from None
