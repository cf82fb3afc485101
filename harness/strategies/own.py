"""Loading a strategy of one's own, and telling what it lacks before anything runs."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from harness.errors import UserError
from harness.strategies.base import Strategy
from harness.text import digest

METHODS = ("compact", "recover", "before_turn", "after_turn", "start", "refuse")


def load(path: str) -> type[Strategy]:
    """The class at `package.module:Class` or `folder/file.py:Class`.

    Raises UserError where it cannot be imported or does not fit the protocol, saying which method
    is missing, not async, or takes other arguments.
    """
    where = f"strategy.import_path {path!r}"
    module, _, name = path.rpartition(":")
    if not (module and name):
        raise UserError(f"{where}: expected package.module:Class or file.py:Class")
    try:
        found = _from_file(module) if module.endswith(".py") else importlib.import_module(module)
    except Exception as error:  # whatever the user's own module raises while it is imported
        raise UserError(f"{where}: cannot be imported: {type(error).__name__}: {error}") from None
    kind = getattr(found, name, None)
    if not isinstance(kind, type):
        raise UserError(f"{where}: no class {name!r} in {module}")
    faults = list(_faults(kind))
    if not issubclass(kind, Strategy):
        faults.append("is no subclass of harness.strategies.base.Strategy")
    if faults:
        raise UserError(f"{where}: {'; '.join(faults)}")
    return kind


def _from_file(file: str) -> ModuleType:
    path = Path(file).expanduser().resolve()
    name = f"own_strategy_{digest(str(path))[:12]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec and spec.loader  # for a name that ends with .py there always are
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def _faults(kind: type) -> Iterator[str]:
    for name in METHODS:
        usual, own = getattr(Strategy, name), getattr(kind, name, None)
        if own is None or (name == "compact" and own is usual):
            yield f"{name} is missing"
        elif not callable(own):
            yield f"{name} is no method"
        elif inspect.iscoroutinefunction(own) != inspect.iscoroutinefunction(usual):
            yield f"{name} is {'not async' if inspect.iscoroutinefunction(usual) else 'async'}"
        elif not _takes(own, len(inspect.signature(usual).parameters)):
            yield f"{name} takes other arguments than {inspect.signature(usual)}"


def _takes(method: object, count: int) -> bool:
    try:
        inspect.signature(method).bind(*range(count))  # type: ignore[arg-type]
    except TypeError:
        return False
    return True
