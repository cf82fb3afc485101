"""Where scanned lines come from: a lane of the hall, or lines kept in a file for trying out.

The environment variable TAG_LANE names the lane, "3" by default; only the hall's machines have
the guns of the numbered lanes.
"""

import os
from pathlib import Path

KEPT = Path(__file__).resolve().parent.parent / "samples" / "scans.txt"


class LaneError(RuntimeError):
    """The lane cannot be read from here."""


def lane_lines() -> list[str]:
    """Lines of the lane. Raises LaneError where its gun is not connected."""
    lane = os.environ.get("TAG_LANE", "3")
    if lane == "practice":
        return KEPT.read_text(encoding="utf-8").splitlines()
    gun = Path(f"/dev/ttyGUN{lane}")
    if not gun.exists():
        raise LaneError(f"lane {lane}: no gun at {gun}")
    return gun.read_text(encoding="ascii").splitlines()
