"""The one place that knows which day it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date

VARIABLE = "TALLY_TODAY"


class ClockError(ValueError):
    """A day in the environment that is none."""


def today(env: Mapping[str, str] = os.environ) -> date:
    """The day in TALLY_TODAY, or the day of the machine. Raises ClockError."""
    text = env.get(VARIABLE, "")
    if not text:
        return date.today()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ClockError(f"{VARIABLE}: {text!r} is no day") from None
