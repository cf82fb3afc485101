"""Lists the names in one module of the store that hold a word: tools/hits.py WORD MODULE."""

import ast
import sys
from pathlib import Path


def names(tree: ast.AST) -> list[tuple[int, str]]:
    """(line, name) of everything that is defined, called or read."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            found.add((node.lineno, node.name))
        elif isinstance(node, ast.Name):
            found.add((node.lineno, node.id))
        elif isinstance(node, ast.alias):
            found.add((node.lineno, node.name))
    return sorted(found)


def main(word: str, module: str) -> None:
    source = Path(__file__).parent.parent / "wings" / f"{module}.py"
    for line, name in names(ast.parse(source.read_text(encoding="utf-8"))):
        if word in name:
            print(f"{module}:{line}: {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
