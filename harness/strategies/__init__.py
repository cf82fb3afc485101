"""Strategies: what is carried across the seam. One file each; add yours to `REGISTRY`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from typing import Any

from harness.errors import UserError
from harness.strategies.bare import Bare
from harness.strategies.base import Strategy
from harness.strategies.combined import Combined
from harness.strategies.engram import Engram
from harness.strategies.long_mem import LongMem
from harness.text import nearest

REGISTRY: Mapping[str, type[Strategy]] = {
    strategy.name: strategy for strategy in (Bare, LongMem, Engram, Combined)
}


def make_strategy(
    name: str, options: Mapping[str, Any], import_path: str | None = None
) -> Strategy:
    """A strategy by name with its options, or one's own by `package.module:Class`.

    Raises UserError for an unknown name or option, naming the nearest.
    """
    known = default_options(name, import_path)
    for key in options:
        if key not in known:
            near = nearest(key, known) if known else "it takes none"
            raise UserError(f"strategy {name}: no option {key!r}; nearest: {near}")
    return strategy_class(name, import_path)(**options)


def default_options(name: str, import_path: str | None = None) -> dict[str, Any]:
    """Options of a strategy with their defaults; tuples as lists, as in a configuration."""
    parameters = inspect.signature(strategy_class(name, import_path)).parameters
    defaults = {key: parameter.default for key, parameter in parameters.items()}
    return {key: list(v) if isinstance(v, tuple) else v for key, v in defaults.items()}


def strategy_class(name: str, import_path: str | None = None) -> type[Strategy]:
    """The class of a strategy. Raises UserError for an unknown name, naming the nearest."""
    if import_path:
        return _import(import_path)
    if name not in REGISTRY:
        raise UserError(f"strategy: no {name!r}; nearest: {nearest(name, REGISTRY)}")
    return REGISTRY[name]


def _import(path: str) -> type[Strategy]:
    module, _, name = path.partition(":")
    try:
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"strategy.import_path {path!r}: {error}; expected module:Class") from None
    if not (isinstance(kind, type) and issubclass(kind, Strategy)):
        raise UserError(f"strategy.import_path {path!r}: expected a subclass of Strategy")
    return kind
