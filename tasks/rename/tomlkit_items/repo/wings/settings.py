"""Where the store is."""

from pathlib import Path

LIVE = Path("/srv/attic/live.toml")
"""The store that the whole house works with; only the machine backstage has it."""

SEASON = 37


def store_path(arguments: list[str]) -> Path:
    """The file after --store, or else the live one. Raises SystemExit where it is not there."""
    path = LIVE
    if "--store" in arguments:
        path = Path(arguments[arguments.index("--store") + 1])
    if not path.is_file():
        raise SystemExit(f"{path}: the store is not to be had from this machine")
    return path
