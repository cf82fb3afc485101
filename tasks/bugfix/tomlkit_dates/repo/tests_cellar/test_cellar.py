"""What the cellar gets right."""

from datetime import UTC, date, datetime, timedelta

import ledger.holding
import ledger.turning
import ledger.weeks
from cellar import age, best_before, diary, holding, night, stamps, turning, weeks
from cellar.clock import today_on


def test_the_oldest_wheel():
    assert age.oldest(diary.wheels())["mark"] == "T11"
    assert age.age_words(13) == "13 days"
    assert age.age_words(20) == "2 weeks"


def test_turning_in_the_middle_of_a_month():
    assert turning.next_turn(date(2028, 2, 14), 4) == date(2028, 2, 18)
    assert turning.next_turn(date(2028, 2, 11), 2) == date(2028, 2, 14)
    assert len(turning.turns_until(date(2028, 2, 1), 3, date(2028, 2, 12))) == 3


def test_readings_of_one_thermometer():
    start = datetime(2028, 2, 1, 12, tzinfo=UTC)
    readings = [{"at": start + timedelta(hours=n)} for n in (5, 0, 1)]
    assert stamps.latest(readings) is readings[0]
    assert stamps.longest_gap(readings) == 4


def test_rind():
    assert best_before.best_before(date(2028, 2, 14), 11) == date(2029, 1, 14)
    assert best_before.rind_stamp(date(2028, 2, 14), 3).endswith(" - 14.05.2028")


def test_weeks_in_spring():
    labels = {weeks.week_label(date(2024, 5, day)) for day in range(6, 13)}
    assert labels == {"2024-W19"}


def test_holding():
    made = today_on() - timedelta(days=20)
    assert holding.is_held(made, today_on())
    assert not holding.is_held(made, made + timedelta(days=200))


def test_noon_is_no_night():
    assert not night.in_night(datetime(2028, 2, 29, 12, tzinfo=UTC))
    assert night.warmest([], date(2028, 2, 29)) is None


def test_the_board_reckons_for_itself():
    assert ledger.turning.next_turn(date(2028, 2, 25), 2) == date(2028, 2, 29)
    assert ledger.weeks.week_label(date(2028, 2, 29)) == "2027-M52"
    assert ledger.holding.is_held(date(2028, 2, 1), date(2028, 2, 21))
