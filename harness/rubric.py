"""The registered rubric: its numbers, its weights, and the lock that keeps both from drifting."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from harness.errors import UserError


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

    Raises UserError naming the differing lines where the file was edited.
    """
    text = _read(path)
    locked_hash, _, registered = _read(path.with_suffix(".lock")).partition("\n")
    found = hashlib.sha256(text.encode("utf-8")).hexdigest()
    if found != locked_hash:
        raise UserError(
            f"{path}: edited since it was registered ({_difference(registered, text)}); undo the "
            "change, or register it as a new version under a new name"
        )
    data: dict[str, Any] = yaml.safe_load(text)
    weights = {item: given["weight"] for item, given in data.pop("items").items()}
    return Rubric(hash=found, weights=weights, **data)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None


def _difference(registered: str, text: str) -> str:
    lines = difflib.unified_diff(registered.splitlines(), text.splitlines(), lineterm="", n=0)
    changed = [line for line in lines if re.match(r"[+-](?![+-])", line)]
    return " / ".join(changed[:4]) or "white space"
