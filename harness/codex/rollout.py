"""What is read from a session file of Codex while it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

_THREAD = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$")


def newest_thread(paths: Sequence[str]) -> str:
    """Id of the session that was begun last, from the names of files; "" for none."""
    found = [m[1] for path in sorted(paths) if (m := _THREAD.search(path))]
    return found[-1] if found else ""


def has_outputs(content: bytes, call_ids: Iterable[str]) -> bool:
    """Whether the results of all these calls are written down."""
    written = {
        str(payload.get("call_id"))
        for kind, payload in _records(content)
        if kind == "response_item" and str(payload.get("type")).endswith("_output")
    }
    return written.issuperset(call_ids)


def compactions(content: bytes) -> list[dict[str, Any]]:
    """The payloads of the `compacted` records, in order."""
    return [payload for kind, payload in _records(content) if kind == "compacted"]


def _records(content: bytes) -> Iterable[tuple[str, dict[str, Any]]]:
    # A line that is being written has no newline yet.
    for line in content.decode("utf-8", "replace").split("\n")[:-1]:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("payload"), dict):
            yield str(record.get("type")), record["payload"]
