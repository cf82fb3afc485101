"""Keeps a copy of what the district platform is sent today, for comparing afterwards."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]


def main() -> None:
    from clinic.store import Store
    from clinic.wire import batch

    store = Store.load(str(ROOT / "sample" / "small.json"))
    kept = ROOT / "docs" / "wire_kept.json"
    kept.write_text("\n".join(batch(store, day) for day in store.days()) + "\n", encoding="utf-8")
    print(f"kept {len(store.days())} days in {kept.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
