import json
from pathlib import Path

import humanize
import leaflet
from humanize.filesize import size_range
from humanize.ranges import natural_range
from leaflet.climb import climb
from leaflet.distance import distance
from leaflet.fares import fare
from leaflet.out_feed import feed
from leaflet.out_ical import calendar
from leaflet.party import party
from leaflet.poster import poster
from leaflet.sheet import sheet
from leaflet.walks import WALKS

ROOT = Path(leaflet.__file__).resolve().parent.parent
MILL, GATES, RIDGE = WALKS
DASH = "\N{EN DASH}"


def test_ranges_of_the_library():
    assert natural_range("3", "5", "km") == f"3{DASH}5 km"
    assert natural_range("3", "3", "km") == "3 km"
    assert natural_range("3", "5") == f"3{DASH}5"
    assert humanize.natural_range is natural_range
    assert "natural_range" in humanize.__all__
    assert size_range(420_000, 900_000) == f"420.0{DASH}900.0 kB"
    assert size_range(420_000, 2_600_000) == f"420.0 kB{DASH}2.6 MB"


def test_numbers():
    assert distance(MILL) == f"7.4{DASH}9.1 km"
    assert distance(GATES) == "12.2 km"
    assert climb(GATES) == f"610{DASH}1,250 m (steep)"
    assert party(MILL) == f"for four{DASH}12 people"
    assert party(RIDGE) == "for six people"
    assert fare(RIDGE) == f"€ 7{DASH}9"
    assert fare(GATES) == "€ 4"


def test_pages():
    assert sheet(MILL).splitlines()[-1] == f"* 2.0{DASH}3.5 h"
    assert poster(GATES).splitlines()[-1].strip() == f"4{DASH}5 hours"


def test_phones():
    assert [7.4, 9.1] == [value for key, value in json.loads(feed([MILL])).items() if key != "walk"]
    assert f"SUMMARY:Lime ridge, 5.5{DASH}7.0 h" in calendar(WALKS)


def test_papers():
    roadmap = (ROOT / "docs/roadmap.md").read_text(encoding="utf-8").split("## Wished for")
    assert roadmap[0].count("both ends of a number") == 1
    assert "both ends of a number" not in roadmap[1]
    news = (ROOT / "NEWS.md").read_text(encoding="utf-8").split("## Winter")[0]
    assert news.count("\n- ") == 3
    chapter = (ROOT / "docs/chapter_en.md").read_text(encoding="utf-8")
    assert "is the middle of what walkers told us" not in chapter
    german = (ROOT / "docs/chapter_de.md").read_text(encoding="utf-8")
    assert "Eine Zahl ist die Mitte dessen, was man uns gesagt hat." in german
