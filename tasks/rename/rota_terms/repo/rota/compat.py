"""Names that have gone out of use and can be called for a while longer."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any


def old_name(name: str, target: Callable[..., Any], *, until: str) -> Callable[..., Any]:
    """A stand-in for `target` under its former name, which warns at every call.

    `until` is the release that drops the former name; the warning tells it to the caller.
    """

    @functools.wraps(target)
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        text = f"{name} is now {target.__name__}; the former name goes in {until}"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return target(*args, **kwargs)

    stand_in.__name__ = name
    return stand_in
