"""Who uses the functions of a module: python tools/uses.py rota/clock.py"""

import ast
import sys
from pathlib import Path


def public_functions(path: Path) -> list[str]:
    """Names of the functions at the top of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def users(path: Path, name: str) -> list[str]:
    """Other modules of the package in which the name occurs."""
    found = []
    for other in sorted(Path("rota").rglob("*.py")):
        tree = ast.parse(other.read_text(encoding="utf-8"))
        imported = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
        if other != path and any(alias.name == name for i in imported for alias in i.names):
            found.append(str(other))
    return found


def main(argv: list[str]) -> int:
    """Print a line for each function of the module that is used elsewhere."""
    path = Path(argv[0])
    for name in public_functions(path):
        if found := users(path, name):
            sys.stdout.write(f"{name}: {', '.join(found)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
