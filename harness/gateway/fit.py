"""Which strategies can act inside the gateway: those that only change what the model sees."""

from __future__ import annotations

import copy
from typing import Any

from harness.errors import UserError
from harness.strategies import ADDONS, REGISTRY
from harness.strategies.base import AddOn, Strategy


class NoWorkspace:
    """Stands for the workspace, which is where the agent is."""

    def _refuse(self, *_: object) -> Any:
        raise UserError("the strategy asks for the workspace, which the gateway cannot see")

    status = diff = log = text = write = _refuse


def require_fit(strategy: Strategy) -> None:
    """Refuse a strategy or add-on that does more than change what the model sees (UserError)."""
    if isinstance(strategy, AddOn):
        require_fit(strategy.inner)
    kind = type(strategy)
    try:
        copy.deepcopy(strategy)  # every seam has its own, as histories may part at it
    except TypeError as error:
        raise UserError(f"{kind.name}: what it holds cannot be copied: {error}") from None
    if why := _unfit(kind):
        known = ADDONS if issubclass(kind, AddOn) else REGISTRY
        fit = ", ".join(name for name, each in known.items() if not _unfit(each))
        raise UserError(f"{kind.name} {why}, which the gateway cannot do; it can do {fit}")


def _unfit(kind: type[Strategy]) -> str | None:
    """What a class wants that only the built-in loop has; None where a view is all it makes."""
    if kind.prefix == "own" or kind.owned:
        return "works with files in the workspace"
    if kind.reads_workspace:
        return "reads the workspace"
    does = {
        "recover": "takes turns of its own",
        "refuse": "answers tool calls",
    }
    base = AddOn if issubclass(kind, AddOn) else Strategy
    changed = (why for name, why in does.items() if getattr(kind, name) is not getattr(base, name))
    return next(changed, None)
