"""`python -m gauge.tour <configuration>`: go through all series and tell the operators."""

import configparser
import socket
import sys

from gauge.bulletin import bulletin
from gauge.feed import replay
from gauge.gaps import gaps
from gauge.gates import openings
from gauge.peaks import crests
from gauge.rain import quarter_days, three_hours
from gauge.rise import rises
from gauge.series import SERIES
from gauge.smooth import smoothed
from gauge.upload import telegrams

ALL = (smoothed, rises, three_hours, quarter_days, gaps, crests, openings, bulletin, telegrams)


def ring_up(modem: str, text: str) -> str:
    """Send a text to all phones. Returns what became of it."""
    host, _, port = modem.partition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=2) as line:
            line.sendall(text.encode("ascii"))
    except OSError as error:
        return f"modem: {error.strerror}"
    return "sent"


def main(arguments: list[str]) -> int:
    """0 where every series has values and the operators, if any, were told."""
    settings = configparser.ConfigParser()
    settings.read(arguments or ["conf/gauge.ini"], encoding="utf-8")
    readings = replay()
    lengths = [f"{function.__name__} {len(function(readings))}" for function in ALL]
    print(f"{len(SERIES)} series at {settings['station']['name']}: {', '.join(lengths)}")
    if settings.getint("station", "phones"):
        told = ring_up(settings["station"]["modem"], "tour " + lengths[0])
        print(told)
        return 0 if told == "sent" else 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
