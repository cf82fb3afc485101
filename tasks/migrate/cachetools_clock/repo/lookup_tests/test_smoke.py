from decimal import Decimal

from lookup.clock import ManualClock, clocked
from lookup.feeds import TableFeed
from lookup.postcodes import PostcodeBook
from lookup.rates import RateBook


def test_rates_are_fetched_once():
    feed = TableFeed({("EUR", "CHF"): "0.9412"})
    book = RateBook(feed)
    assert book.convert(Decimal("25.00"), "EUR", "CHF") == Decimal("23.53")
    assert book.convert(Decimal("50.00"), "EUR", "CHF") == Decimal("47.06")
    assert feed.fetches == {("EUR", "CHF"): 1}


def test_postcodes_are_tidied():
    feed = TableFeed({"SW11": "Battersea"})
    book = PostcodeBook(feed)
    assert book.place("sw 11") == book.place("SW11") == "Battersea"
    assert feed.fetches == {"SW11": 1}


def test_clocked_forgets_by_its_clock():
    clock = ManualClock()
    kept = clocked(maxsize=2, ttl=10, clock=clock)
    kept["a"] = 1
    clock.advance(9)
    assert "a" in kept
    clock.advance(1)
    assert "a" not in kept
