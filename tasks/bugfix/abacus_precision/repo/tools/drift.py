"""Prints by how much the money sums are off: `python -m tools.drift`.

Three samples for a split and three for a loan. Zero is what one wants
to see; changes nothing.
"""

from decimal import Decimal as D

from abacus.money.loans import payment
from abacus.money.percent import split

SPLITS = [("100.00", (33, 33, 34)), ("0.05", (50, 50)), ("19.99", (15, 85))]
LOANS = [("10000", "5", 36), ("900", "0", 9), ("250000", "3.1", 240)]


def balance(principal, rate, months):
    """What is left of a loan after its last payment."""
    due, left = payment(principal, rate, months), principal
    for _ in range(months):
        left += left * rate / 1200 - due
    return left


def main():
    for amount, percents in SPLITS:
        parts = split(D(amount), [D(p) for p in percents])
        print(f"split {amount}: off by {D(amount) - sum(parts)}")
    for principal, rate, months in LOANS:
        left = balance(D(principal), D(rate), months)
        print(f"loan {principal} at {rate}: off by {left:.2f}")


if __name__ == "__main__":
    main()
