"""Hold a barrier open while its code is exchanged: `python tools/hold.py entry`."""

import sys

BARRIERS = {"entry": "ramp", "exits": "back"}


def main() -> None:
    for module in sys.argv[1:]:
        print(f"{module}: barrier at the {BARRIERS[module]} held open for ten minutes")


if __name__ == "__main__":
    main()
