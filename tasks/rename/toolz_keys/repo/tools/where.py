"""`python tools/where.py key maproom/slips.py`: lines of files with a word or part of one."""

import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Print the places. Returns 2 without a word and a file."""
    if len(arguments) < 2:
        print("where: expected a word and one or more files")
        return 2
    word, *paths = arguments
    for path in paths:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if word in line:
                print(f"{path}:{number}: {line.strip()}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
