"""Rosters on disk: one JSON file, a list of shifts under a format number.

Stamps are written in site time with the offset, to the minute. Rosters that came from the old
planning sheet have stamps without an offset.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from rota import RotaError
from rota.clock import format_stamp, site_offset
from rota.intervals import Interval
from rota.model import Shift

FORMAT = 2


def save_roster(path: Path, shifts: Iterable[Shift]) -> None:
    """Write the roster; the old file stays until the new one is whole."""
    records = [
        {
            "employee": shift.employee,
            "start": format_stamp(shift.start),
            "end": format_stamp(shift.end),
            "role": shift.role,
        }
        for shift in shifts
    ]
    scratch = path.with_name(path.name + ".part")
    text = json.dumps({"format": FORMAT, "shifts": records}, indent=2, ensure_ascii=False)
    scratch.write_text(text + "\n", encoding="utf-8")
    scratch.replace(path)


def load_roster(path: Path) -> list[Shift]:
    """Read a roster of the current format."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RotaError(f"{path}: {error.strerror}") from None
    except json.JSONDecodeError as error:
        raise RotaError(f"{path}:{error.lineno}: no JSON: {error.msg}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RotaError(f"{path}: expected a roster of format {FORMAT}")
    return [read_shift(record) for record in data["shifts"]]


def read_shift(record: Mapping[str, Any]) -> Shift:
    """One shift from its record."""
    absent = {"employee", "start", "end"} - set(record)
    if absent:
        raise RotaError(f"a shift lacks {', '.join(sorted(absent))}")
    return Shift(record["employee"], read_stretch(record), record.get("role", "floor"))


def read_stretch(record: Mapping[str, str]) -> Interval:
    """The stretch of a record, from its two stamps."""
    return Interval(read_stamp(record["start"]), read_stamp(record["end"]))


def read_stamp(text: str) -> datetime:
    """The moment that a stamp in a roster means, in UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise RotaError(f"expected a stamp like 2025-03-03T22:00+08:00, found {text!r}") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=site_offset())
    return moment.astimezone(timezone.utc)
