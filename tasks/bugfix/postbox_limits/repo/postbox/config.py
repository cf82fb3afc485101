"""Numbers and switches from a JSON file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from postbox import PostboxError

USUAL = "conf/live.json"


@dataclass(frozen=True)
class Config:
    """What the file says."""

    values: Mapping[str, Any]

    def value(self, name: str, fallback: Any) -> Any:
        """What the file says about a name, or else the fallback."""
        return self.values.get(name, fallback)

    def strict(self, name: str) -> Any:
        """What the file says about a name. Raises PostboxError where it is silent."""
        if name not in self.values:
            raise PostboxError(f"the config says nothing about {name}", 500)
        return self.values[name]


def load_config() -> Config:
    """The file that POSTBOX_CONFIG names."""
    path = Path(os.environ.get("POSTBOX_CONFIG", USUAL))
    return Config(json.loads(path.read_text(encoding="utf-8")))
