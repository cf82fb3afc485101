"""Print a mail template as it is now, with the names of its places."""

import re
import sys
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent.parent / "postbox" / "templates"
PLACE = re.compile(r"\$(\w+)")


def main():
    for name in sys.argv[1:]:
        text = (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")
        print(f"== {name}: {', '.join(sorted(set(PLACE.findall(text))))}")
        print(text)


main()
