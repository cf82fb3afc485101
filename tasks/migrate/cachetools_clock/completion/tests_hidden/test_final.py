"""Hidden checks: every service lives by the clock that it is given."""

import inspect
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from cachetools.func import ttl_cache

import lookup
from lookup.clock import ManualClock
from lookup.feeds import TableFeed
from lookup.holidays import HolidayBook
from lookup.postcodes import PostcodeBook
from lookup.rates import RateBook
from lookup.tariffs import TariffBook
from lookup.timetable import Timetable
from lookup.weather import DockWeather
from lookup.zones import ZoneMap

ROOT = Path(lookup.__file__).parent.parent
CASES = [
    (RateBook, ("A", "B"), "2", lambda s: s.rate("A", "B"), 120),
    (Timetable, "dock", ["10:00"], lambda s: s.next_after("dock", "09:00"), 300),
    (PostcodeBook, "SW11", "Battersea", lambda s: s.place("SW 11"), 3600),
    (DockWeather, "n", {"wind": 1, "temp": 1}, lambda s: s.can_load("n"), 600),
    (HolidayBook, ("DE", 2026), [], lambda s: s.is_open("DE", date(2026, 1, 5)), 900),
    (TariffBook, "0901", "7.5", lambda s: s.duty("0901", Decimal(1)), 1800),
    (ZoneMap, "SW", "inner", lambda s: s.surcharge("SW"), 86400),
]


@pytest.mark.parametrize("service, key, row, ask, ttl", CASES)
def test_rows_live_by_the_given_clock(service, key, row, ask, ttl):
    clock, feed = ManualClock(), TableFeed({key: row})
    books = [service(feed, clock), service(feed, ManualClock())]
    for book in books:
        ask(book)
    clock.advance(ttl - 1)
    for book in books:
        ask(book)
    assert feed.fetches == {key: 2}
    clock.advance(1)
    for book in books:
        ask(book)
    assert feed.fetches == {key: 3}


def test_ttl_cache_takes_a_clock():
    clock, seen = ManualClock(), []
    for size in (None, 2):
        double = ttl_cache(maxsize=size, ttl=5, clock=clock)(lambda n: seen.append(n) or n * 2)
        assert double(2) == double(2) == 4
        clock.advance(5)
        assert double(2) == 4
    assert seen == [2, 2, 2, 2]
    assert "timer" not in inspect.signature(ttl_cache).parameters
    assert ttl_cache(lambda n: n)(3) == 3


def test_stub_epoch_changelog_and_guide():
    stub = (ROOT / "src/cachetools/func.pyi").read_text(encoding="utf-8")
    assert stub.count("clock:") == 2 and "timer:" not in stub
    assert lookup.CACHE_EPOCH == 5
    log = (ROOT / "CHANGELOG.rst").read_text(encoding="utf-8")
    assert "clock" in log.split("v8.0.1")[0]
    guide = (ROOT / "lookup/README.md").read_text(encoding="utf-8")
    assert "by the date and time of the machine" not in guide
