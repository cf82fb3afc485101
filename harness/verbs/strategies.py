"""`seambench strategies`: strategies and add-ons with their options, for people and docs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from inspect import Parameter

from harness.strategies import ADDONS, REGISTRY, options_of
from harness.strategies.base import Strategy
from harness.verbs.common import say

COLUMNS = ("name", "source", "prefix", "model calls", "keeps", "options")


def strategies(markdown: bool) -> int:
    """Print both tables; as Markdown they are those of harness/strategies/README.md."""
    say(markdown_tables() if markdown else plain_tables())
    return 0


def markdown_tables() -> str:
    """Strategies, then add-ons, as two Markdown tables under headings."""
    return "\n\n".join(
        f"### {title}\n\n{_markdown([COLUMNS, *rows])}" for title, rows in _tables().items()
    )


def plain_tables() -> str:
    """The same for a terminal: options on lines of their own, since some are long."""
    return "\n\n".join(f"{title}\n{_aligned(rows)}" for title, rows in _tables().items())


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    lines = []
    for *cells, options in [COLUMNS, *rows]:
        told = [cell.ljust(width) for cell, width in zip(cells, widths[:-1], strict=True)]
        lines.append("  ".join(told).rstrip())
        lines += [f"    {options}"] if options else []
    return "\n".join(lines)


def _tables() -> dict[str, list[tuple[str, ...]]]:
    return {
        "Strategies": [_row(kind, kind.prefix) for kind in REGISTRY.values()],
        "Add-ons": [_row(kind, "its strategy's") for kind in ADDONS.values()],
    }


def _row(kind: type[Strategy], prefix: str) -> tuple[str, ...]:
    calls = f"+{kind.calls}" if kind.name in ADDONS else str(kind.calls)
    return kind.name, kind.source, prefix, calls, kind.keeps, _options(kind)


def _options(kind: type[Strategy]) -> str:
    """Options with their defaults as they stand in a configuration."""
    return ", ".join(
        name if usual is Parameter.empty else f"{name}={_value(usual)}"
        for name, usual in options_of(kind).items()
    )


def _value(usual: object) -> str:
    if isinstance(usual, list):
        return f"[{','.join(map(str, usual))}]"
    return usual if isinstance(usual, str) else json.dumps(usual, ensure_ascii=False)


def _markdown(rows: Iterable[Sequence[str]]) -> str:
    head, *rest = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    rest = [[f"`{row[0]}`", *row[1:-1], f"`{row[-1]}`" if row[-1] else ""] for row in rest]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rest])
