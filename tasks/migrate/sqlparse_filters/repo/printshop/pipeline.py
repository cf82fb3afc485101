"""The passes in their order."""

from __future__ import annotations

from types import ModuleType

import sqlparse

from printshop.passes import casing, ending, masks, names, notes, spacing, width

PASSES = (names, casing, masks, spacing, notes, ending, width)


def tidy(text: str) -> str:
    """A text of queries, fit to print."""
    for module in PASSES:
        text = run_one(module, text)
    return text


def run_one(module: ModuleType, text: str) -> str:
    """The text after one pass; a module that has PASS goes through sqlparse."""
    if hasattr(module, "PASS"):
        return sqlparse.format(text, house_filters=[module.PASS()])
    return module.apply(text)
