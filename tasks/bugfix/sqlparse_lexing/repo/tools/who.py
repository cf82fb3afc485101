"""python tools/who.py FILE: the modules that import a file of this folder."""

from __future__ import annotations

import sys
from pathlib import Path


def importers(target: Path) -> list[str]:
    """Paths of the modules in which an import line names the target."""
    found = []
    for path in sorted(Path().rglob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        named = [line for line in lines if "import" in line.split() and target.stem in line]
        if named and path != target:
            found.append(f"{path}: {named[0].strip()}")
    return found


if __name__ == "__main__":
    print("\n".join(importers(Path(sys.argv[1]))) or "nobody")
