"""Plain SQL adds nothing to what sqlparse knows."""

from __future__ import annotations

from typing import Any

WORDS: dict[str, Any] = {}
