"""Prints the sheet on the wall: the next turning and the week of each wheel, kept for the audit."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def main() -> None:
    from cellar import diary, turning, weeks

    for wheel in diary.wheels():
        try:
            due = str(turning.next_turn(wheel["turned"], wheel["every"]))
        except ValueError as error:
            due = f"({error})"
        print(f"{wheel['mark']}  {weeks.week_label(wheel['made'])}  turn {due}")


if __name__ == "__main__":
    main()
