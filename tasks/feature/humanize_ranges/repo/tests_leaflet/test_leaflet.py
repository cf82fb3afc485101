import json

from leaflet.climb import climb
from leaflet.distance import distance
from leaflet.fares import fare, is_cheap
from leaflet.out_feed import feed
from leaflet.out_ical import calendar
from leaflet.party import needs_warden, party
from leaflet.poster import poster
from leaflet.sheet import sheet
from leaflet.walks import WALKS, Walk

FLAT = Walk("Pond", (5.0, 5.0), (2.0, 2.0), (80, 80), (4, 4), (4, 4), (1000, 1000))


def test_numbers_of_a_walk_on_which_all_agree():
    assert distance(FLAT) == "5.0 km"
    assert climb(FLAT) == "80 m"
    assert party(FLAT) == "for four people"
    assert fare(FLAT) == "€ 4"


def test_page_and_poster():
    assert sheet(FLAT).splitlines()[0] == "Pond"
    assert sheet(FLAT).splitlines()[-1] == "* 2.0 h"
    assert poster(FLAT).split("\n")[1].strip() == "2 hours"


def test_what_depends_on_the_larger_end():
    assert [needs_warden(walk) for walk in WALKS] == [True, False, False]
    assert [is_cheap(walk) for walk in WALKS] == [True, True, False]
    assert climb(WALKS[1]).endswith("(steep)")


def test_phones():
    assert [json.loads(line)["walk"] for line in feed(WALKS).splitlines()] == [
        w.name for w in WALKS
    ]
    assert calendar([FLAT]).splitlines()[3] == "SUMMARY:Pond, 2.0 h"
