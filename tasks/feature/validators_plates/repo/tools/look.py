"""Print what the sign or the report says now: `python tools/look.py display`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]


def main() -> None:
    from garage.display import free_places, welcome
    from garage.entry import Entry
    from garage.ledger import Ledger
    from garage.report import report

    ledger = Ledger()
    entry = Entry(ledger)
    arrival = entry.arrive(8.5)
    texts = {
        "display": f"[{welcome(arrival):16}]\n[{free_places(entry):16}]",
        "report": report(ledger, 0),
    }
    for name in sys.argv[1:]:
        print(texts[name])


if __name__ == "__main__":
    main()
