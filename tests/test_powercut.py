"""A sample of `make faults`: each fault stops a run at a write, then it is started again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from faulty_disk import cut_power, kill
from powercut import Bench, bench

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place() -> Iterator[Bench]:
    """An undisturbed run to compare with."""
    with bench() as found:
        yield found


@pytest.mark.parametrize("share", [0.1, 0.75, 0.97])
def test_a_killed_run_goes_on(place: Bench, share: float) -> None:
    assert place.disturbed(kill, int(place.operations * share)) == ""


@pytest.mark.parametrize("share", [0.55, 0.78, 0.99])
def test_a_power_cut_loses_nothing_that_was_finished(place: Bench, share: float) -> None:
    assert place.disturbed(cut_power, int(place.operations * share)) == ""


def test_a_newer_version_goes_on_from_an_older_ones_records(place: Bench) -> None:
    assert place.disturbed(kill, place.operations - 40, version="99.0") == ""
