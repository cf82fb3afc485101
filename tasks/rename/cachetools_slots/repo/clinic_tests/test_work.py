import pytest

from clinic.desk import Desk, DeskError
from clinic.reminders import late_text, patient_text
from clinic.renames import modern
from clinic.report import DayReport
from clinic.selfcheck import problems
from clinic.store import Store
from clinic.waitlist import watch
from clinic.wire import batch, number_of

DAY = "2026-03-02"


@pytest.fixture
def store():
    return Store.load("sample/small.json")


def test_the_first_free_place_is_booked(store):
    desk = Desk(store)
    assert desk.book("eye", DAY, "zhao").no == 2
    assert desk.book("eye", DAY, "qian").no == 4
    with pytest.raises(DeskError):
        desk.book("eye", DAY, "sun")


def test_a_place_comes_back_to_who_waits(store):
    desk = Desk(store)
    waiting = watch(desk)
    waiting.wish("zhou", "skin", DAY)
    assert desk.give_back(store.of_day("skin", DAY)[1]).free
    assert [s.no for s in store.of_day("skin", DAY) if s.free] == [1, 2]


def test_the_report_counts(store):
    report = DayReport(store)
    assert report.lines(DAY) == ["eye: 2 of 4", "skin: 1 of 2"]
    assert report.last_held("eye", DAY) == 3


def test_records_carry_numbers(store):
    assert '"sourceNo": "eye-2026-03-02-001"' in batch(store, DAY)
    assert number_of({"sourceNo": "eye-2026-03-02-007"}) == 7
    with pytest.raises(ValueError):
        number_of({"sourceNo": "elsewhere"})


def test_texts(store):
    assert "number 2" in patient_text(store.of_day("eye", DAY)[1])
    assert "20 min" in late_text("eye", 2, 20)


def test_words_and_data(store):
    assert modern("room") == "ward" and modern("store") == "store"
    assert problems(store) == []
