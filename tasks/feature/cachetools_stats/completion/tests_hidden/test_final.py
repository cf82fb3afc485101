"""Hidden checks: loads are counted by every decorator and reach all that the dashboard shows."""

import inspect
from functools import partial
from pathlib import Path

import cachetools.func as func
import pytest
from cachetools.stats import CacheStats

import watch
from watch import alarms, cli, export, panels, snapshot, table

ROOT = Path(watch.__file__).resolve().parent.parent
DECORATORS = [
    func.fifo_cache,
    func.lfu_cache,
    func.lru_cache,
    func.rr_cache,
    partial(func.ttl_cache, ttl=60),
]


def inverse(number):
    return 1 / number


@pytest.mark.parametrize("decorator", DECORATORS)
@pytest.mark.parametrize("maxsize", [None, 8])
def test_loads_are_counted(decorator, maxsize):
    counted = CacheStats()
    function = decorator(maxsize=maxsize, tally=counted)(inverse)
    assert function(2) == function(2) == 0.5
    with pytest.raises(ZeroDivisionError):
        function(0)
    assert (counted.loads, counted.failures) == (2, 1)
    assert counted.seconds >= 0
    assert function.cache_tally is counted and function.cache_info().hits == 1


@pytest.mark.parametrize("decorator", DECORATORS)
def test_without_arguments_as_before(decorator):
    assert decorator(inverse)(4) == 0.25


def test_rows_table_export_and_alarm():
    function = func.lru_cache(maxsize=64, tally=CacheStats())(inverse)
    for number in range(-20, 20):
        try:
            function(number)
        except ZeroDivisionError:
            continue
    row = snapshot.row("inverse", function)
    assert (row["loads"], row["failed"]) == (40, 1)
    assert isinstance(row["ms"], int)
    assert len(table.cells(row)) == len(table.HEAD) == 5 and "%" in table.render([row])
    assert "2.5" in export.lines([row])
    assert not any("failed" in said for said in alarms.complaints([row]))
    assert any("12.5" in said for said in alarms.complaints([{**row, "failed": 5}]))
    plain = snapshot.row("plain", func.lru_cache(maxsize=2)(inverse))
    assert "%" not in table.render([plain]) and "loads" not in plain


def test_flag(capsys):
    assert cli.main(["--loads"]) == 0
    assert "0 loads" in capsys.readouterr().out


def test_panel_news_page_and_fifo():
    assert panels.number("loads") == 5 and len(panels.PANELS) == 4
    assert "loads" in (ROOT / "watch/NEWS.md").read_text(encoding="utf-8").splitlines()[2]
    assert "Nothing is known" not in (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    assert list(inspect.signature(func.fifo_cache).parameters) == ["maxsize", "typed", "tally"]
