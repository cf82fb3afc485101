from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import ledger.holding
import ledger.turning
import ledger.weeks
import pytest
import tomlkit
from cellar import age, best_before, clock, diary, holding, night, stamps, turning, weeks

ROOT = Path(age.__file__).resolve().parent.parent


def moments(*texts):
    lines = "".join(f"[[reading]]\nat = {text}\n" for text in texts)
    return tomlkit.parse(lines)["reading"]


def test_age():
    assert age.days_old({"made": clock.today_on()}) == 0
    assert age.days_old({"made": tomlkit.datetime("2028-02-19T23:50:00+01:00")}) == 10


def test_library():
    with pytest.raises(ValueError):
        tomlkit.date("2028-02-29T04:30:00")
    assert tomlkit.date("2028-02-29") == date(2028, 2, 29)
    leap = tomlkit.parse("a = 2016-12-31T23:59:60Z\nb = 23:59:60\n")
    assert leap["a"].second == leap["b"].second == 59
    assert leap.as_string() == "a = 2016-12-31T23:59:60Z\nb = 23:59:60\n"


def test_turning():
    assert turning.next_turn(date(2028, 2, 28), 3) == date(2028, 3, 2)
    assert turning.next_turn(date(2027, 12, 31), 2) == date(2028, 1, 3)


def test_readings():
    mixed = moments("2028-02-29T03:05:00+01:00", "2028-02-29T02:30:00Z", "2028-02-29T01:00:00")
    assert [row["at"].hour for row in stamps.in_order(mixed)] == [1, 3, 2]
    assert stamps.longest_gap(mixed) == pytest.approx(65 / 60)


def test_rind():
    assert best_before.best_before(date(2027, 8, 31), 6) == date(2028, 2, 29)
    assert best_before.best_before(date(2028, 1, 30), 13) == date(2029, 2, 28)
    assert best_before.first_sale(date(2028, 1, 1)) == date(2028, 3, 1)


def test_weeks():
    assert weeks.week_label(date(2027, 1, 1)) == "2026-W53"
    assert weeks.week_label(date(2024, 12, 30)) == "2025-W01"


def test_holding():
    made = date(2028, 1, 1)
    held = [holding.is_held(made, made + timedelta(days=n)) for n in (-1, 0, 1, 59, 60)]
    assert held == [False, True, True, True, False]


def test_nights():
    late = datetime(2028, 2, 28, 23, tzinfo=UTC)
    early = datetime(2028, 2, 29, 5, 59, tzinfo=UTC)
    assert night.in_night(late) and night.in_night(early)
    assert not night.in_night(datetime(2028, 2, 29, 6, tzinfo=UTC))
    assert night.night_of(early) == night.night_of(late) == date(2028, 2, 28)
    assert night.warmest(diary.readings(), date(2028, 2, 28)) == 12.4
    assert night.running_night() == date(2028, 2, 28)


def test_papers():
    faults = (ROOT / "cellar/faults.csv").read_text(encoding="utf-8").splitlines()
    assert faults[1:3] == ["8,dates", "7,brine of a wheel without a wash"]
    top = (ROOT / "HISTORY.md").read_text(encoding="utf-8").split("## 1.8")[0]
    assert top.count("\n- ") + top.count("\n* ") == 3
    assert (ROOT / "tests_cellar/test_dates.py").is_file()
    assert ledger.holding.HOLD_DAYS == 21
    assert ledger.turning.next_turn(date(2028, 2, 25), 2) == date(2028, 2, 29)
    assert ledger.weeks.week_label(date(2028, 2, 29)) == "2027-M52"
