"""Plain values out of records that may hold anything: text, numbers, times, usage."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from harness.types import Usage

RESULT = 8_000
"""Characters kept of a tool's output and of one argument; its beginning and its end."""
SPEECH = 400_000
"""Characters kept of what a person or a model says."""
DEPTH = 12
PARTS = 2_000

_SURROGATES = re.compile("[\ud800-\udfff]")
_EXIT = re.compile(r"(?:exited with code|exit code:?|returncode>|exit_code\W+)\s*(-?\d+)", re.I)


def words(value: Any) -> str:
    """A value that should be a short text; anything else is an empty one."""
    return clip(value, 2_000) if isinstance(value, str) else ""


def whole(value: Any) -> int | None:
    """A value that should be a whole number."""
    return int(value) if isinstance(value, int | float) and 0 <= value < 1e15 else None


def table(value: Any) -> dict[str, Any]:
    """A value that should be an object."""
    return value if isinstance(value, dict) else {}


def rows(value: Any) -> list[Any]:
    """A value that should be a list."""
    return value if isinstance(value, list) else []


def clip(text: str, limit: int) -> str:
    """The text without broken characters; of a longer one its beginning and end."""
    if len(text) > limit:
        half = limit // 2
        text = f"{text[:half]}\n[... {len(text) - limit} characters ...]\n{text[-half:]}"
    if _SURROGATES.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clipped(value: Any, depth: int = 0) -> Any:
    """A JSON value with every text in it clipped."""
    if isinstance(value, str):
        return clip(value, RESULT)
    if depth > DEPTH:
        return "..."
    if isinstance(value, dict):
        members = list(value.items())[:PARTS]
        return {clip(str(k), RESULT): clipped(v, depth + 1) for k, v in members}
    if isinstance(value, list):
        return [clipped(part, depth + 1) for part in value[:PARTS]]
    return value


def text_of(content: Any) -> str:
    """The text of a message's content: a text, a part, or a list of parts."""
    return "\n".join(_texts(content, 0))


def _texts(content: Any, depth: int) -> Iterable[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list) and depth < DEPTH:
        for part in content[:PARTS]:
            yield from _texts(part, depth + 1)
    elif isinstance(content, dict) and depth < DEPTH:
        for key in ("text", "content", "output"):
            if isinstance(content.get(key), str | list | dict):
                yield from _texts(content[key], depth + 1)
                return


def parsed(value: Any) -> Any:
    """JSON that is stored as text; what is no JSON stays as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def when(value: Any) -> str:
    """A time as ISO 8601 in UTC: from text, or from seconds or milliseconds since 1970."""
    if isinstance(value, str):
        return words(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and 1e8 < value < 1e14:
        seconds = value / 1000 if value > 1e11 else value
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    return ""


def usage(total: Any, cached: Any, output: Any) -> Usage | None:
    """Usage from counts, None where there is none; `total` counts the cached input too."""
    counts = [whole(n) or 0 for n in (total, cached, output)]
    return Usage(*counts) if any(counts) else None


def exit_code(text: str) -> int | None:
    """The exit code that a command's output tells, near its beginning or end."""
    found = _EXIT.search(text[:600]) or _EXIT.search(text[-300:])
    return int(found.group(1)[:9]) if found else None
