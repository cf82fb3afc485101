"""Strategies: what is carried across the seam. One file each; add yours to `REGISTRY`."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from harness.errors import StrategyError, UserError
from harness.guard import guarded
from harness.strategies.anew import Split, Wipe
from harness.strategies.bare import Bare
from harness.strategies.base import AddOn, Strategy
from harness.strategies.card_edit import CardEdit
from harness.strategies.cliff import Cliff
from harness.strategies.combined import Combined
from harness.strategies.engram import Engram
from harness.strategies.git_card import GitCard
from harness.strategies.headed import ExtractSections, FiveHeadings, NineSections
from harness.strategies.idempotent_tools import IdempotentTools
from harness.strategies.iterative import Iterative
from harness.strategies.long_mem import LongMem
from harness.strategies.mask import ClearToolResults, ObservationMask
from harness.strategies.own import load
from harness.strategies.patch import Patch
from harness.strategies.pin import Pin
from harness.strategies.protocol import GitLog, Protocol, Repeat
from harness.strategies.recent import Decay, RecentN, SlidingWindow
from harness.strategies.self_check import SelfCheck
from harness.strategies.state_snapshot import StateSnapshot
from harness.strategies.tattoo import Tattoo
from harness.strategies.user_words import CodexHandoff, Pinned, UserTurns
from harness.text import nearest

STUDY = (Bare, LongMem, Engram, Combined)
SEEDS = (Tattoo, Protocol, GitLog, Patch, Repeat, Split, Wipe)
MECHANICAL = (RecentN, SlidingWindow, Decay, ObservationMask, ClearToolResults, Cliff)
BESIDE_A_SUMMARY = (Pinned, UserTurns, GitCard)
PRODUCTS = (CodexHandoff, NineSections, StateSnapshot, Iterative, FiveHeadings, ExtractSections)

REGISTRY: Mapping[str, type[Strategy]] = {
    strategy.name: strategy
    for strategy in (*STUDY, *SEEDS, *MECHANICAL, *BESIDE_A_SUMMARY, *PRODUCTS)
}

ADDONS: Mapping[str, type[AddOn]] = {
    addon.name: addon for addon in (SelfCheck, IdempotentTools, CardEdit, Pin)
}


def make_strategy(
    name: str,
    options: Mapping[str, Any],
    import_path: str | None = None,
    addons: Sequence[Mapping[str, Any]] = (),
) -> Strategy:
    """A strategy by name with its options, or one's own by `package.module:Class`.

    addons: wrapped around it in their order, {"name": ..., option: value} each. Raises UserError
    for an unknown name or option, naming the nearest, and StrategyError where its own code fails.
    """
    _require_known(f"strategy {name}", options, default_options(name, import_path))
    kind = strategy_class(name, import_path)
    with guarded(kind):
        strategy = kind(**options)
    for addon in addons:
        around = addon_class(addon["name"])
        given = {key: value for key, value in addon.items() if key != "name"}
        _require_known(f"add-on {around.name}", given, options_of(around))
        with guarded(around):
            strategy = around(strategy, **given)
    return strategy


def require_strategy(
    name: str,
    options: Mapping[str, Any],
    import_path: str | None = None,
    addons: Sequence[Mapping[str, Any]] = (),
) -> Strategy:
    """The same before anything runs, when a strategy that cannot be made is the user's mistake."""
    try:
        return make_strategy(name, options, import_path, addons)
    except StrategyError as error:
        raise UserError(str(error)) from error


def addon_class(name: str) -> type[AddOn]:
    """The class of an add-on. Raises UserError for an unknown name, naming the nearest."""
    if name not in ADDONS:
        raise UserError(f"addons: no {name!r}; nearest: {nearest(name, ADDONS)}")
    return ADDONS[name]


def _require_known(where: str, given: Collection[str], known: Mapping[str, Any]) -> None:
    for key in given:
        if key not in known:
            near = nearest(key, known) if known else "it takes none"
            raise UserError(f"{where}: no option {key!r}; nearest: {near}")
    for key, usual in known.items():
        if usual is inspect.Parameter.empty and key not in given:
            raise UserError(f"{where}: option {key!r} must be given")


def default_options(name: str, import_path: str | None = None) -> dict[str, Any]:
    """Options of a strategy with their defaults; tuples as lists, as in a configuration."""
    return options_of(strategy_class(name, import_path))


def options_of(kind: type[Strategy]) -> dict[str, Any]:
    """Options of a strategy's or an add-on's class with their defaults, see default_options."""
    defaults = {key: p.default for key, p in inspect.signature(kind).parameters.items()}
    if issubclass(kind, AddOn):
        defaults.pop("inner")
    return {key: list(v) if isinstance(v, tuple) else v for key, v in defaults.items()}


def strategy_class(name: str, import_path: str | None = None) -> type[Strategy]:
    """The class of a strategy. Raises UserError for an unknown name, naming the nearest."""
    if import_path:
        return load(import_path)
    if name not in REGISTRY:
        raise UserError(f"strategy: no {name!r}; nearest: {nearest(name, REGISTRY)}")
    return REGISTRY[name]
