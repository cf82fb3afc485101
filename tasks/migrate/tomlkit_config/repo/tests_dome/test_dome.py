"""What the station does with its settings."""

import pytest

import sim.camera
import sim.mount
import sim.shutter
from dome import camera, filters, focus, mount, rain, schedule, shutter, wind


def test_mount():
    assert mount.can_point(15, 6.5)
    assert not mount.can_point(14.9, 0)
    assert mount.turned(13) == -11
    assert mount.time_left(-2) == 2


def test_shutter():
    assert shutter.opening_seconds() == 60
    assert shutter.opening_seconds(icy=True) == 165
    assert shutter.latest_start(3600) == 3540


def test_camera():
    assert camera.exposures(600, 400) == 3
    assert camera.counts(3000) == 2000
    assert not camera.saturates(80_999)


def test_focus():
    assert focus.focus_step(8) == 5028
    assert focus.refocus_due(4, 6)
    assert not focus.refocus_due(6, 11)


def test_filters():
    assert filters.wheel_names() == ["L", "R", "G", "B", "Ha"]
    assert filters.focus_offset("B") == -4
    assert filters.turns("L", "Ha") == 1
    with pytest.raises(ValueError):
        filters.focus_offset("OIII")


def test_roof():
    assert rain.closed_minutes([0.3] + [0.0] * 60) == 40
    assert wind.must_close(56)
    assert not wind.may_open(14)


def test_schedule():
    assert schedule.night_slots(0, 300) == [(20, 110), (110, 200), (200, 290)]
    assert schedule.lost_minutes(0, 300) == 30


def test_simulator():
    assert sim.mount.can_point(0, 12)
    assert sim.shutter.opening_seconds() == 2
    assert sim.camera.saturates(30_000)
