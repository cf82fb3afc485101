"""`python -m quay.check`: draw the board once."""

from __future__ import annotations

from quay.board import board
from quay.tape import TapeError, calls


def main() -> int:
    """0 where the board could be drawn."""
    try:
        print(board(calls()))
    except TapeError as error:
        print(f"check: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
