"""One line for each part of the station: `python -m dome.selfcheck`."""

import os

from dome import camera, filters, focus, mount, rain, schedule, shutter, wind


def main() -> int:
    if os.environ.get("DOME_LINK") != "off":
        print("dialling the motors at 10.0.7.2 ... refused, the dome is in use")
        return 4
    print("mount", mount.can_point(30, -2), mount.time_left(-2))
    print("shutter", shutter.opening_seconds(), shutter.opening_seconds(icy=True))
    print("camera", camera.exposures(600, 400), camera.counts(3000))
    print("focus", focus.focus_step(8), focus.refocus_due(8, 4))
    print("filters", *filters.wheel_names(), filters.focus_offset("Ha"))
    print("roof", rain.must_close(0.3), wind.must_close(40))
    print("slots", len(schedule.night_slots(1140, 1740)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
