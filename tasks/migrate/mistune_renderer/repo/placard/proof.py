"""`python -m placard.proof`: put all texts on the screen of a case; case 7 only counts elements."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path

from placard import MARKUP
from placard.page import make

TEXTS = Path(__file__).resolve().parent.parent / "cases"
SCREENS = Path("/srv/screens")
EMPTY = 7


def page() -> str:
    """All texts, one after the other."""
    markdown = make()
    paths = sorted(TEXTS.glob("*.md"))
    return "\n".join(str(markdown(path.read_text(encoding="utf-8"))) for path in paths)


def main() -> int:
    """0 where the page is on the screen or printed."""
    parser = argparse.ArgumentParser(description="Show the placards.")
    parser.add_argument("--case", type=int, default=1, help="number of the show-case")
    case = parser.parse_args().case
    if case == EMPTY:
        tags = Counter(re.findall(r"<(\w+)", page()))
        print(f"markup {MARKUP}:", ", ".join(f"{tags[tag]} {tag}" for tag in sorted(tags)))
        return 0
    try:
        (SCREENS / f"case-{case}.html").write_text(page(), encoding="utf-8")
    except OSError as error:
        print(f"proof: the screen of case {case} refuses: {error.strerror}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
