"""Print feed and calendar of the first walk, as the phones see them."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]


def main() -> None:
    from leaflet.out_feed import feed
    from leaflet.out_ical import calendar
    from leaflet.walks import WALKS

    print(feed(WALKS[:1]), calendar(WALKS[:1]), sep="\n")


if __name__ == "__main__":
    main()
