import ast
import re
from pathlib import Path

import pytest
import tomlkit
from dome import book, camera, filters, focus, mount, rain, schedule, shutter
from tomlkit.toml_file import TOMLFile

ROOT = Path(book.__file__).resolve().parent.parent
MOVED = ["mount", "shutter", "camera", "focus", "filters", "rain", "schedule"]


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("name", MOVED)
def test_nothing_reads_the_ini(name):
    assert not {"dome.oldini", "configparser"} & set(imported(ROOT / "dome" / f"{name}.py"))


def test_the_library_gives_one_table():
    assert TOMLFile(book.BOOK).read_section("wind")["gust_kmh"] == 55
    with pytest.raises(KeyError):
        TOMLFile(book.BOOK).read_section("nowhere")


def test_the_numbers_are_the_same():
    assert mount.can_point(15, 6.5) and not mount.can_point(14.9, 0)
    assert shutter.opening_seconds(icy=True) == 165
    assert camera.exposures(600, 400) == 3
    assert str(focus.focus_step(8)) == "5028" and focus.refocus_due(4, 6)
    assert [filters.focus_offset(name) for name in filters.wheel_names()] == [0, 12, 10, -4, 31]
    assert rain.closed_minutes([0.3] + [0.0] * 60) == 40
    assert schedule.lost_minutes(0, 300) == 30


def test_changes_of_the_shift_count_at_once(tmp_path, monkeypatch):
    text = book.BOOK.read_text(encoding="utf-8")
    copy = tmp_path / "dome.toml"
    copy.write_text(text, encoding="utf-8")
    monkeypatch.setattr(book, "BOOK", copy)
    copy.write_text(text.replace("limit_mm = 0.2", "limit_mm = 2.0"), encoding="utf-8")
    assert not rain.must_close(0.3)
    copy.write_text(text.replace("width_cm = 240", "width_cm = 120"), encoding="utf-8")
    assert shutter.opening_seconds() == 30


def test_papers():
    moved = (ROOT / "conf/moved.txt").read_text(encoding="utf-8")
    assert re.findall(r"^(\d+) autumn-move\b", moved, re.MULTILINE) == ["3"]
    autumn = (ROOT / "CHANGES.md").read_text(encoding="utf-8").split("## Summer")[0]
    assert len(re.findall(r"^[-*] ", autumn, re.MULTILINE)) == 3
    wheel = tomlkit.parse((ROOT / "conf/filters.toml").read_text(encoding="utf-8"))["wheel"]
    assert len(wheel["names"]) == len(wheel["offsets"]) == 5
    assert (ROOT / "tests_dome/test_book.py").is_file()
    assert "sim.ini" in (ROOT / "sim/mount.py").read_text(encoding="utf-8")
