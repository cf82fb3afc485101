"""Settings of the simulator."""

from configparser import ConfigParser
from pathlib import Path


def fetch(section: str, key: str) -> str:
    """The text of one setting."""
    parser = ConfigParser()
    parser.read(Path(__file__).with_name("sim.ini"), encoding="utf-8")
    return parser[section][key]
