"""Names in a source text, with their lines: what is imported, called, defined."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

Lines = Mapping[str, Sequence[int]]
"""Name -> the lines on which it stands, in order."""

LEXICAL_DEFINITION = re.compile(
    r"\b(?:function|func|class|interface|type|enum|struct|const|let|var|def)\s+([A-Za-z_]\w*)"
)


@dataclass(frozen=True)
class Names:
    """Names of one text: imported modules, dotted calls, defined identifiers."""

    imports: Lines
    calls: Lines
    defines: Lines


@lru_cache(maxsize=4096)
def names_of(text: str) -> Names:
    """Names of a source text; what Python cannot parse is read by a lexical rule (definitions)."""
    found: dict[str, dict[str, list[int]]] = {
        field: defaultdict(list) for field in ("imports", "calls", "defines")
    }
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        for match in LEXICAL_DEFINITION.finditer(text):
            found["defines"][match.group(1)].append(text.count("\n", 0, match.start()) + 1)
        return Names(**found)
    for node in ast.walk(tree):
        for field, name in _named(node):
            found[field][name].append(node.lineno)  # type: ignore[attr-defined]
    return Names(**found)


def _named(node: ast.AST) -> list[tuple[str, str]]:
    """The field and name of each thing that a syntax node names."""
    if isinstance(node, ast.Import):
        return [("imports", alias.name) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        start = module if module.endswith(".") else module + "."
        return [("imports", module), *(("imports", start + alias.name) for alias in node.names)]
    if isinstance(node, ast.Call):
        return [("calls", _dotted(node.func))]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [("defines", node.name)]
    if isinstance(node, ast.arg):
        return [("defines", node.arg)]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [("defines", node.id)]
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return [("defines", node.attr)]
    return []


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"
