"""What is written comes back, whichever way it is kept."""

from datetime import date, datetime, timedelta, timezone

import pytest

from rota import RotaError, absences, cli, holidays, jobs, rosters, shift_notes, shift_swaps
from rota.intervals import Interval
from rota.model import Absence, Job, Shift, Swap

NOON = datetime(2025, 3, 3, 4, 0, tzinfo=timezone.utc)
DAY = date(2025, 3, 3)
HOUR = timedelta(hours=1)


def shift(employee: str, start: float = 0) -> Shift:
    return Shift(employee, Interval(NOON + start * HOUR, NOON + (start + 8) * HOUR), "desk")


def test_roster_comes_back(plan):
    rosters.save_roster(plan, [shift("林"), shift("mei", 24)])
    assert rosters.load_roster(plan) == [shift("林"), shift("mei", 24)]


def test_who_is_there_on_a_day():
    night = shift("mei", 10)
    assert rosters.on_day([night, shift("lin", 24)], DAY + timedelta(days=1))[0] == night
    assert rosters.roles([shift("lin")]) == {"lin": {"desk"}}


def test_jobs_come_back_in_order(plan):
    jobs.save_jobs(plan, jobs.JobQueue([Job(NOON + HOUR, 3, "mail"), Job(NOON, 5, "backup")]))
    assert [job.name for job in jobs.load_jobs(plan).waiting()] == ["backup", "mail"]


def test_swap_comes_back_and_is_made(plan):
    shift_swaps.save_swaps(plan, [Swap(DAY, "lin", "mei", True)])
    swap = shift_swaps.load_swaps(plan)[0]
    assert shift_swaps.swapped([shift("lin"), shift("lin", 24)], swap)[0].employee == "mei"
    with pytest.raises(RotaError):
        shift_swaps.swapped([], Swap(DAY, "lin", "mei"))


def test_absences_come_back(plan):
    absences.save_absences(plan, [Absence("lin", DAY, DAY)])
    found = absences.load_absences(plan)
    assert absences.impossible([shift("lin"), shift("mei")], found) == [shift("lin")]


def test_holidays_come_back(plan):
    holidays.save_holidays(plan, {DAY: "植树节"})
    found = holidays.load_holidays(plan)
    assert holidays.working_days(found, DAY, DAY + timedelta(days=6))[0].day == 4
    assert found[DAY] == "植树节"


def test_notes_come_back(plan):
    notes = [shift_notes.Note(DAY, "the printer is out of paper")]
    shift_notes.save_notes(plan, notes)
    assert shift_notes.load_notes(plan) == notes


def test_refused_shift_is_one_line(capsys, plan):
    with pytest.raises(RotaError, match="lacks start, end"):
        rosters.read_shift({"employee": "lin"})
    assert cli.main(["report", str(plan), "--since", "2025-03-02", "--until", "2025-03-01"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
