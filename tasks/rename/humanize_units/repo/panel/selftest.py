"""`python -m panel.selftest`: draw the panel once, pack every row, and say whether that went well."""

from __future__ import annotations

from panel.bus import BusError, open_bus
from panel.modbus_wire import frame
from panel.mqtt_wire import message
from panel.screen import rows, screen


def main() -> int:
    """0 where everything could be drawn and packed."""
    try:
        bus = open_bus()
    except BusError as error:
        print(f"selftest: {error}")
        return 1
    print(screen(bus))
    packed = [(frame(row), message(row)) for row in rows(bus)]
    print(f"selftest: {len(packed)} rows fine")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
