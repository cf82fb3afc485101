"""The report on a tray as text."""

from __future__ import annotations

from collections.abc import Iterable

from gatehouse.counting import statements
from gatehouse.danger import dangers
from gatehouse.excerpt import excerpt
from gatehouse.names import tables
from gatehouse.params import params
from gatehouse.scripts import Script


def report(found: Iterable[Script]) -> str:
    """A block of lines for every script."""
    return "\n".join(line for script in found for line in block(script))


def block(script: Script) -> list[str]:
    """The lines on one script; those that would be empty are left out."""
    named = {"tables": tables(script.text), "params": params(script.text)}
    lines = [f"{script.name}: {statements(script.text)} statements", f"  {excerpt(script.text)}"]
    lines += [f"  {what}: {', '.join(names)}" for what, names in named.items() if names]
    return [*lines, *(f"  ! {piece}" for piece in dangers(script.text))]
