"""Whether what a fixture gives is a predicate that `checks` can judge, told where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harness.checks import PREDICATES
from harness.errors import TaskError
from harness.text import nearest


def check_predicate(predicate: Any, where: str) -> None:
    """Raise TaskError, naming `where`, if this is not a predicate that `evaluate` can judge."""
    if not isinstance(predicate, Mapping):
        raise TaskError(f"{where}: expected a predicate (a mapping), found {predicate!r}")
    names = [key for key in predicate if key != "in"]
    if len(names) != 1:
        raise TaskError(f"{where}: expected one predicate, found {sorted(predicate)}")
    name, argument = names[0], predicate[names[0]]
    globs = predicate.get("in", "**")
    listed = [globs] if isinstance(globs, str) else globs
    if not isinstance(listed, list) or not all(isinstance(glob, str) for glob in listed):
        raise TaskError(f"{where}.in: expected a glob or a list of globs, found {globs!r}")
    known = [*PREDICATES, "all", "any", "not"]
    if name not in known:
        raise TaskError(f"{where}: unknown predicate {name!r}; nearest: {nearest(name, known)}")
    if name == "not":
        check_predicate(argument, f"{where}.not")
    elif name in ("all", "any"):
        if not isinstance(argument, list) or not argument:
            raise TaskError(f"{where}.{name}: expected a list of predicates")
        for number, part in enumerate(argument):
            check_predicate(part, f"{where}.{name}[{number}]")
    else:
        _check_argument(name, argument, where)


def _check_argument(name: str, argument: Any, where: str) -> None:
    patterns = [argument]
    if name == "count":
        if not isinstance(argument, Mapping) or set(argument) != {"pattern", "n"}:
            raise TaskError(f"{where}.count: expected {{pattern, n}}")
        if not isinstance(argument["n"], int):
            raise TaskError(f"{where}.count.n: expected a number, found {argument['n']!r}")
        patterns = [argument["pattern"]]
    elif name == "runs_before":
        if not isinstance(argument, Mapping) or set(argument) != {"first", "then"}:
            raise TaskError(f"{where}.runs_before: expected {{first, then}}")
        patterns = [argument["first"], argument["then"]]
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise TaskError(f"{where}.{name}: expected text, found {pattern!r}")
        if name in ("exists", "writes", "creates", "imports", "calls", "adds_import", "adds_call"):
            continue
        try:
            re.compile(pattern, re.MULTILINE)
        except re.error as error:
            raise TaskError(f"{where}.{name}: {pattern!r} is no pattern: {error}") from None
