"""The registered rubric: its numbers, its weights, and the lock that keeps both from drifting."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, PositiveInt, ValidationError

from harness.errors import UserError
from harness.types import ITEMS


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    weight: Literal["high", "medium", "none"]
    kinds: list[str]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str
    version: str
    window_turns: PositiveInt
    extended_writes: PositiveInt
    extended_turns: PositiveInt
    follow_turns: PositiveInt
    items: dict[str, _Item]


@dataclass(frozen=True)
class Rubric:
    """One version of the rubric. `weights`: item -> high, medium or none."""

    name: str
    version: str
    hash: str
    window_turns: int
    extended_writes: int
    extended_turns: int
    follow_turns: int
    weights: Mapping[str, str]

    def continued(self, passed: Mapping[str, bool | None]) -> bool:
        """No high-weight item fails."""
        return not any(passed[i] is False for i, weight in self.weights.items() if weight == "high")

    def continued_strict(self, passed: Mapping[str, bool | None]) -> bool:
        """No item of the verdict fails: the study's definition read literally."""
        return not any(passed[i] is False for i, weight in self.weights.items() if weight != "none")


def load_rubric(path: Path) -> Rubric:
    """Read a rubric and check its lock: the file beside it with its hash and registered text.

    Raises UserError naming the differing lines where the file was edited, and for a registered
    file that is no rubric.
    """
    text = _read(path)
    locked_hash, _, registered = _read(path.with_suffix(".lock")).partition("\n")
    found = hashlib.sha256(text.encode("utf-8")).hexdigest()
    if found != locked_hash:
        raise UserError(
            f"{path}: edited since it was registered ({_difference(registered, text)}); undo the "
            "change, or register it as a new version under a new name"
        )
    given = _parsed(path, text)
    weights = {name: item.weight for name, item in given.items.items()}
    return Rubric(hash=found, weights=weights, **given.model_dump(exclude={"items"}))


def _parsed(path: Path, text: str) -> _File:
    try:
        given = _File.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise UserError(f"{path}: not a rubric: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise UserError(f"{path}: not a rubric: {key}: {first['msg']}") from None
    if given.items.keys() != set(ITEMS):
        found, expected = ", ".join(given.items), ", ".join(ITEMS)
        raise UserError(f"{path}: not a rubric: items: expected {expected}; found {found}")
    return given


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: cannot be read: not UTF-8") from None


def _difference(registered: str, text: str) -> str:
    lines = difflib.unified_diff(registered.splitlines(), text.splitlines(), n=0)
    changed = [line for line in list(lines)[2:] if not line.startswith("@@")]
    return " / ".join(changed[:4]) or "white space"
