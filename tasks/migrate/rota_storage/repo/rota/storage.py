"""One big JSON file: a format number and a table of records for each kind of thing.

    {"format": 2, "tables": {"shifts": [...], "jobs": [...]}}

Whoever changes one table reads and writes the whole file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rota import RotaError

FORMAT = 2
Record = Mapping[str, Any]


def load_all(path: Path) -> dict[str, list[dict[str, Any]]]:
    """All tables of a file; an absent file has none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except json.JSONDecodeError as error:
        raise RotaError(f"{path}:{error.lineno}: no JSON: {error.msg}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RotaError(f"{path}: expected a file of format {FORMAT}")
    return data["tables"]


def table_kinds(path: Path) -> list[str]:
    """The kinds of things that a file holds."""
    return sorted(load_all(path))


def load_table(path: Path, kind: str) -> list[dict[str, Any]]:
    """The records of one kind, empty where there are none."""
    return load_all(path).get(kind, [])


def save_table(path: Path, kind: str, records: Iterable[Record]) -> None:
    """Replace the records of one kind; the old file stays until the new one is whole."""
    tables = {**load_all(path), kind: list(records)}
    scratch = path.with_name(path.name + ".part")
    text = json.dumps({"format": FORMAT, "tables": tables}, indent=2, ensure_ascii=False)
    scratch.write_text(text + "\n", encoding="utf-8")
    scratch.replace(path)
