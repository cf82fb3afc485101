"""Hidden checks: windows in the library, and series made over them."""

from pathlib import Path

import toolz
import toolz.curried

import gauge
from gauge.bulletin import bulletin
from gauge.feed import clock, replay
from gauge.gaps import gaps
from gauge.gates import openings
from gauge.peaks import crests
from gauge.rain import quarter_days, three_hours
from gauge.rise import rises
from gauge.series import SERIES
from gauge.smooth import smoothed
from gauge.upload import telegrams

ROOT = Path(gauge.__file__).parent.parent
READINGS = replay()
LEVELS = [reading.level for reading in READINGS]


def test_windows():
    assert list(toolz.windows(2, 1, "abc")) == [("a", "b"), ("b", "c")]
    assert list(toolz.windows(2, 2, "abc")) == [("a", "b")]
    assert list(toolz.windows(2, 2, "abc", pad="-")) == [("a", "b"), ("c", "-")]
    assert list(toolz.windows(3, 1, [])) == []
    assert list(toolz.curried.windows(2, 2)(iter(range(4)))) == [(0, 1), (2, 3)]


def test_levels_over_time():
    assert smoothed(READINGS)[0] == sum(LEVELS[:6]) // 6
    assert len(smoothed(READINGS)) == len(READINGS) - 5
    assert all(isinstance(level, int) for level in smoothed(READINGS))
    assert rises(READINGS)[:2] == [LEVELS[6] - LEVELS[0], LEVELS[7] - LEVELS[1]]
    assert len(rises(READINGS)) == len(READINGS) - 6
    assert crests(READINGS) == [420, 1020]


def test_parts_of_the_day():
    rain = [reading.rain for reading in READINGS]
    assert quarter_days(READINGS) == [sum(rain[n : n + 36]) for n in (0, 36, 72)]
    assert len(three_hours(READINGS)) == len(READINGS) - 17
    percent = [reading.gate for reading in READINGS]
    assert openings(READINGS) == [sum(percent[n : n + 3]) // 3 for n in range(0, 141, 3)]
    assert gaps(READINGS) == [490, 960] and gaps(replay(missing=())) == []


def test_what_goes_out():
    assert len(bulletin(READINGS)) == len(READINGS) // 12
    assert bulletin(READINGS)[1].startswith(clock(READINGS[12].at))
    sent = telegrams(READINGS)
    assert len(sent) == len(READINGS) // 8
    assert sent[0].split(" ") == ["00:00", "/".join(map(str, LEVELS[:8]))]


def test_notes():
    assert SERIES[5] == "spans" and len(SERIES) == 5
    news = (ROOT / "NEWS.md").read_text(encoding="utf-8").split("## 2026-06")[0]
    assert news.count("\n- ") + news.count("\n* ") == 3
    table = (ROOT / "docs/series.md").read_text(encoding="utf-8")
    assert "| rise | level | one reading |" not in table
