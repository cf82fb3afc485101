"""The two days that stand on the rind: first sale and best before."""

from datetime import date, timedelta

FIRST_SALE_DAYS = 45
"""A wheel is not sold earlier."""


def first_sale(made: date) -> date:
    """The day from which a wheel may be sold."""
    return made + timedelta(days=FIRST_SALE_DAYS)


def best_before(made: date, months: int) -> date:
    """The same day some months later."""
    month = made.month + months
    return made.replace(year=made.year + (month - 1) // 12, month=(month - 1) % 12 + 1)


def rind_stamp(made: date, months: int) -> str:
    """What the iron says."""
    return f"{first_sale(made):%d.%m.} - {best_before(made, months):%d.%m.%Y}"
