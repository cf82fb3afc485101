"""Through what each module of the package keeps its things: python tools/where.py"""

import ast
import sys
from pathlib import Path

WAYS = {"rota.storage": "single file", "rota.shelf": "shelf"}


def ways(path: Path) -> list[str]:
    """The ways that a module imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return [way for module, way in WAYS.items() if module in modules]


def main() -> int:
    """Print a line for each module."""
    for path in sorted(Path("rota").glob("*.py")):
        functions = path.read_text(encoding="utf-8").count("\ndef ")
        used = ", ".join(ways(path)) or "-"
        sys.stdout.write(f"{path!s:<22} {functions:>2} functions  {used}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
