"""Things of the sample plan as they would stand on a shelf: python tools/preview.py jobs"""

import json
import sys
from pathlib import Path

from_file = Path("samples/plan.json")


def main(argv: list[str]) -> int:
    """Print the lines of one kind; nothing is written."""
    tables = json.loads(from_file.read_text(encoding="utf-8"))["tables"]
    for fields in tables[argv[0]]:
        sys.stdout.write(json.dumps(fields, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
