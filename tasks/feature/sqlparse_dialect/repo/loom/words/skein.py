"""Words of the stream machines."""

from __future__ import annotations

from typing import Any

WORDS: dict[str, Any] = {}
