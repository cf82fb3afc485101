import pytest

from gauge.feed import A_DAY, clock, replay
from gauge.gaps import gaps, is_late
from gauge.rain import is_shower, three_hours
from gauge.ring import ring_spans
from gauge.series import SERIES, number

READINGS = replay()


def test_feed_has_the_readings_that_came():
    assert len(READINGS) == A_DAY - 3
    assert clock(READINGS[-1].at) == "23:50"
    assert gaps(replay(missing=())) == []


def test_rain_of_three_hours():
    assert max(three_hours(READINGS)) == sum(reading.rain for reading in READINGS)
    assert is_shower(READINGS)


def test_series_are_numbered_once():
    assert number("rain") == 2
    assert len(set(SERIES.values())) == len(SERIES)
    with pytest.raises(KeyError):
        number("fog")


def test_ring_and_lateness():
    assert list(ring_spans(2, "abc")) == [("a", "b"), ("b", "c")]
    assert is_late(READINGS[0], 11) and not is_late(READINGS[0], 10)
