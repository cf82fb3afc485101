from datetime import date
from decimal import Decimal

import pytest

from lookup.feeds import FeedError, TableFeed
from lookup.holidays import HolidayBook
from lookup.rates import RateBook
from lookup.tariffs import TariffBook
from lookup.timetable import Timetable
from lookup.weather import DockWeather
from lookup.zones import ZoneMap


def test_rates_along_a_path():
    book = RateBook(TableFeed({("EUR", "USD"): "1.10", ("USD", "JPY"): "150"}))
    assert book.cross(Decimal(10), "EUR", "USD", "JPY") == Decimal("1650.00")
    with pytest.raises(FeedError):
        book.rate("EUR", "XXX")


def test_weather_of_the_docks():
    feed = TableFeed({"n": {"wind": 4, "temp": 3}, "s": {"wind": 20, "temp": 3}})
    docks = DockWeather(feed)
    assert docks.can_load("n") and not docks.can_load("s")
    assert docks.calmest(["s", "n"]) == "n"
    assert feed.fetches == {"n": 1, "s": 1}


def test_next_open_day():
    book = HolidayBook(TableFeed({("DE", 2026): ["2026-12-25"]}))
    assert book.next_open("DE", date(2026, 12, 25)) == date(2026, 12, 28)


def test_duty():
    book = TariffBook(TableFeed({"0901": "7.5", "0902": "3"}))
    assert book.duty("0901", Decimal(200)) == Decimal("15.00")
    assert book.worst(["0902", "0901"]) == "0901"


def test_zones():
    zones = ZoneMap(TableFeed({"SW": "inner", "KW": "island"}))
    assert zones.dearest(["SW", "KW"]) == 1900
    assert zones.dearest([]) == 0


def test_departures():
    table = Timetable(TableFeed({"dock": ["17:10", "06:40"]}))
    assert table.next_after("dock", "07:00") == 17 * 60 + 10
    assert table.next_after("dock", "18:00") is None
