"""`python tools/loanbook.py`: the book of loans as it stands, one line for each."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from maproom.model import sample


def main() -> int:
    """Print the book."""
    _, loans = sample()
    for number, loan in enumerate(loans, 1):
        print(f"{number:>4} {loan['key']} {loan['reader']} {loan['due']:%Y-%m-%d}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
