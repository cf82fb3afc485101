import importlib
import pkgutil
from pathlib import Path

import humanize
import humanize.filesize
import panel
from panel.bus import LoopBus
from panel.edition import WORDING_EDITION
from panel.screen import screen

ROOT = Path(panel.__file__).resolve().parent.parent


def test_no_module_of_the_panel_has_an_old_name():
    for info in pkgutil.iter_modules(panel.__path__):
        module = importlib.import_module(f"panel.{info.name}")
        assert [name for name in vars(module) if "uom" in name.lower()] == []


def test_the_library_follows():
    assert not hasattr(humanize.filesize, "suffixes")
    tables = [name for name in vars(humanize.filesize) if name.endswith("_units")]
    assert len(tables) == 1
    assert humanize.naturalsize(3_000_000) == "3.0 MB"
    assert humanize.naturalsize(3000, gnu=True) == "2.9K"


def test_the_panel_shows_what_it_showed():
    assert screen(LoopBus()).splitlines()[0] == "Flow             4.2 l/s"
    assert screen(LoopBus()).endswith(
        "l/s = litres a second, kWh = kilowatt-hours, m³ = cubic metres and W = watts"
    )


def test_edition_and_papers():
    assert WORDING_EDITION == 12
    assert "| uom |" not in (ROOT / "docs/words.md").read_text(encoding="utf-8")
    assert "| uom |" in (ROOT / "docs/printed/words.md").read_text(encoding="utf-8")
    top = (ROOT / "CHANGES.md").read_text(encoding="utf-8").split("## 3.3")[0]
    assert top.count("unit") == 1
    assert (ROOT / "tests_panel/test_unit_names.py").is_file()
