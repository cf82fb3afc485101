"""List the names of a module that hold a word: `python tools/names.py FILE [WORD]`."""

import ast
import sys
from pathlib import Path


def named(tree: ast.AST) -> list[tuple[int, str]]:
    """Line and name of every identifier."""
    found = set()
    for node in ast.walk(tree):
        for field in ("name", "id", "arg", "attr"):
            name = getattr(node, field, None)
            if isinstance(name, str) and hasattr(node, "lineno"):
                found.add((node.lineno, name))
    return sorted(found)


def main() -> None:
    path = Path(sys.argv[1])
    word = sys.argv[2] if len(sys.argv) > 2 else "sum"
    for line, name in named(ast.parse(path.read_text(encoding="utf-8"))):
        if word in name.lower() and name != word:
            print(f"{path}:{line}: {name}")


if __name__ == "__main__":
    main()
