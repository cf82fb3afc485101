"""Where readings come from: the bus of a plant, or a loop that plays recorded values."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

RECORDED = {
    "flow": 0.0042,
    "heat": 71_800.0,
    "tank": 3.1205,
    "power": 18_250.0,
    "log": 48_211_930.0,
}


class BusError(Exception):
    """The bus cannot be reached, or has no such point."""


class LoopBus:
    """Plays the same values over and over."""

    def __init__(self, values: Mapping[str, float] = RECORDED) -> None:
        self.values = dict(values)

    def read(self, point: str) -> float:
        """Value of a point. Raises BusError for an unknown one."""
        if point not in self.values:
            raise BusError(f"no point {point!r}; known: {', '.join(sorted(self.values))}")
        return self.values[point]


class PlantBus:
    """Talks to the gateway of a working plant, one line per point."""

    def __init__(self, host: str = "127.0.0.1", port: int = 502) -> None:
        try:
            self.line = socket.create_connection((host, port), timeout=2)
        except OSError as error:
            raise BusError(f"no plant at {host}:{port}: {error.strerror}") from None

    def read(self, point: str) -> float:
        """Value of a point."""
        self.line.sendall(f"{point}\n".encode("ascii"))
        return float(self.line.recv(64).decode("ascii"))


def open_bus() -> LoopBus | PlantBus:
    """The bus that the environment asks for."""
    return LoopBus() if os.environ.get("PANEL_BUS") == "loop" else PlantBus()
