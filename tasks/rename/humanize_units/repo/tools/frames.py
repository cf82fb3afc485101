"""Print what goes over the wires for the recorded values, to be held against a terminal."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]


def main() -> None:
    from panel.bus import LoopBus
    from panel.modbus_wire import frame
    from panel.mqtt_wire import message
    from panel.screen import rows

    for row in rows(LoopBus()):
        print(frame(row).hex(), message(row)[0])


if __name__ == "__main__":
    main()
