"""Questions from the office: `python -m garage.cli fee 3.5`."""

import sys

from garage.base import GateError
from garage.exits import fee
from garage.permits import Permits


def say_fee(words: list[str], permits: Permits) -> str:
    """Euros for a number of hours."""
    return f"EUR {fee(float(words[0])) / 100:.2f}"


def say_permit(words: list[str], permits: Permits) -> str:
    """Whether a holder's season ticket lasts."""
    holder, at = " ".join(words[:-1]), float(words[-1])
    return "lasts" if permits.valid(holder, at) else "is over"


COMMANDS = {
    "fee": say_fee,
    "permit": say_permit,
}


def answer(words: list[str], permits: Permits) -> str:
    """The answer to one question. Raises GateError for one that nobody taught us."""
    if not words or words[0] not in COMMANDS:
        raise GateError(f"expected one of {', '.join(COMMANDS)}")
    return COMMANDS[words[0]](words[1:], permits)


if __name__ == "__main__":
    from garage.ledger import Ledger

    print(answer(sys.argv[1:], Permits(Ledger())))
