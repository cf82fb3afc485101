"""Settings as text out of the ini files. Goes away when nobody imports it any more."""

from configparser import ConfigParser
from functools import lru_cache
from pathlib import Path

CONF = Path(__file__).resolve().parent.parent / "conf"


@lru_cache
def _parsed(name: str) -> ConfigParser:
    parser = ConfigParser()
    with (CONF / name).open(encoding="utf-8") as lines:
        parser.read_file(lines)
    return parser


def fetch(section: str, key: str, name: str = "dome.ini") -> str:
    """The text of one setting. Raises KeyError where it is missing."""
    return _parsed(name)[section][key]
