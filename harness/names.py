"""Names in a source text, with their lines: what is imported, called, defined."""

from __future__ import annotations

import ast
import keyword
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

Lines = Mapping[str, Sequence[int]]
"""Name -> the lines on which it stands, in order."""
PARSED = 1_000_000
"""Characters up to which a text is parsed: a parser takes seconds and a gigabyte for more."""

LEXICAL_DEFINITION = re.compile(
    r"\b(?:function|func|class|interface|type|enum|struct|const|let|var|def)\s+([A-Za-z_]\w*)"
)
_ASIDE = re.compile(
    r"('''|\"\"\").*?\1|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|#[^\n]*", re.DOTALL
)
_CALL = re.compile(r"(?<![\w.])(?:(?:def|class)\s+\w+|(\.?[A-Za-z_][\w.]*))\s*\(")
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+)?import[ \t]+\(?([\w., \t*]+)", re.MULTILINE)


@dataclass(frozen=True)
class Names:
    """Names of one text: imported modules, dotted calls, defined identifiers."""

    imports: Lines
    calls: Lines
    defines: Lines


@lru_cache(maxsize=4096)
def names_of(text: str, python: bool = False) -> Names:
    """Names of a source text; what Python cannot parse is read by a lexical rule (definitions).

    python: it is a Python file, whose imports and calls are read by such a rule too, so that one
    broken line does not hide the others.
    """
    found: dict[str, dict[str, list[int]]] = {
        field: defaultdict(list) for field in ("imports", "calls", "defines")
    }
    try:
        tree = ast.parse(text) if len(text) <= PARSED else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None:
        for field, name, line in _lexical(text, python):
            found[field][name].append(line)
        return Names(**found)
    for node in ast.walk(tree):
        for field, name in _named(node):
            found[field][name].append(node.lineno)  # type: ignore[attr-defined]
    return Names(**found)


def _lexical(text: str, python: bool) -> Iterator[tuple[str, str, int]]:
    """(field, name, line) of what can be told of a text without a parser."""
    ends = [match.start() for match in re.finditer("\n", text)]
    for match in LEXICAL_DEFINITION.finditer(text):
        yield "defines", match.group(1), bisect_right(ends, match.start()) + 1
    if not python:
        return
    # Comments and texts are blanked in place, so that lines stay where they are.
    code = _ASIDE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    for match in _CALL.finditer(code):
        name = match.group(1)
        if name and not keyword.iskeyword(name):
            whole = f"?{name}" if name.startswith(".") else name
            yield "calls", whole, bisect_right(ends, match.start()) + 1
    for match in _IMPORT.finditer(code):
        line, module = bisect_right(ends, match.start()) + 1, match.group(1)
        if module:
            yield "imports", module, line
        start = module if not module or module.endswith(".") else module + "."
        for part in filter(str.strip, match.group(2).split(",")):
            yield "imports", (start or "") + part.split()[0], line


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
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))
