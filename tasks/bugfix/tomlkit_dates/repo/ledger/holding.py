"""What the board holds back after a complaint."""

from datetime import date, timedelta

HOLD_DAYS = 21


def is_held(told: date, seen: date) -> bool:
    """Whether a complaint still holds a wheel back."""
    return told < seen < told + timedelta(days=HOLD_DAYS)
