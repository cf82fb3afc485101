"""`python -m kitlist.check`: read every list of the store and print what becomes of it."""

from __future__ import annotations

import argparse
from pathlib import Path

from kitlist.entries import read
from kitlist.labels import labels
from kitlist.outline import outline
from kitlist.weigh import weight

HUT = Path("/mnt/hut/kit")


def main() -> int:
    """0 where the store could be read."""
    parser = argparse.ArgumentParser(description="Look over the kit lists.")
    parser.add_argument("--store", type=Path, default=HUT, help="folder of the lists")
    store = parser.parse_args().store
    if not store.is_dir():
        print(f"kitlist: {store} does not answer")
        return 1
    for path in sorted(store.glob("*.md")):
        entries = read(path.read_text(encoding="utf-8"))
        print(f"{path.name}: {len(entries)} in {len(labels(entries))} bags, {weight(entries)} g")
        for line in outline(entries)[:3]:
            print(f"    {line}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
