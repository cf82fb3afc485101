"""Scripts as they lie in a tray: one file each, named by the tray's index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LIVE = Path("/srv/gatehouse/live")


class TrayError(Exception):
    """There is no such tray, or a script of its index cannot be read."""


@dataclass(frozen=True)
class Script:
    """One script with its name and its whole text."""

    name: str
    text: str


def scripts(tray: Path) -> list[Script]:
    """The scripts of a tray in the order of its index. Raises TrayError."""
    index = tray / "index.txt"
    if not index.is_file():
        raise TrayError(f"no index in {tray}")
    return [_read(tray / name) for name in index.read_text(encoding="utf-8").split()]


def _read(path: Path) -> Script:
    try:
        return Script(path.name, path.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise TrayError(f"{path}: {error}") from None
