"""Reading the diary."""

from pathlib import Path

import tomlkit
from tomlkit.items import AoT

DIARY = Path(__file__).resolve().parent.parent / "samples" / "diary.toml"


def wheels() -> AoT:
    """All wheels, in the order of the file."""
    return tomlkit.parse(DIARY.read_text(encoding="utf-8"))["wheel"]


def readings() -> AoT:
    """All readings of the thermometers."""
    return tomlkit.parse(DIARY.read_text(encoding="utf-8"))["reading"]
