"""The list for the morning rounds: `python -m cellar.rounds`."""

from cellar import age, best_before, diary, holding, night, stamps, weeks
from cellar.clock import now_at, today_on


def main() -> int:
    wheels = diary.wheels()
    print(f"rounds of {now_at():%d %b %Y %H:%M}")
    for wheel in wheels:
        days = age.days_old(wheel)
        print(wheel["mark"], days, age.age_words(days), weeks.week_label(wheel["made"]))
    print("may leave:", *holding.free_wheels(wheels, today_on()))
    print("first sale:", *(best_before.first_sale(wheel["made"]) for wheel in wheels))
    print("latest reading:", stamps.latest(diary.readings())["celsius"])
    print("night:", night.running_night())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
