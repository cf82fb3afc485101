"""A quick look at the store: `python -m wings.check`."""

import sys

from wings import colour, colours, insurance, labels, lending, loads, repairs, scenes
from wings.settings import store_path
from wings.store import load_rows


def main(arguments: list[str]) -> int:
    rows = load_rows(store_path(arguments))
    parts = [
        scenes.call_sheet(rows),
        labels.label_roll(rows),
        repairs.repair_list(rows),
        loads.van_load(rows),
        colours.colour_card(rows, "brass"),
        colour.wheel_table(rows),
        insurance.insurance_sheet(rows),
    ]
    lending.take_back(rows, "B020")
    print(f"{len(rows)} rows, {sum(map(len, parts))} characters of paper")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
