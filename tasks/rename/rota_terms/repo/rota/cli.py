"""The command line: check a roster, report on it, show a month or the empty hours of a day."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from rota import RotaError
from rota.calendar_month import month_lines
from rota.clock import format_stamp, parse_day, utc_now
from rota.conflicts import find_conflicts
from rota.coverage import empty_lines
from rota.cron import CronRule
from rota.intervals import Interval
from rota.reporting import DayKey, daily_totals, hours_text, table
from rota.storage import load_roster
from rota.terms import term_lines


def in_days(totals: dict[DayKey, int], since: date, until: date) -> dict[DayKey, int]:
    """The totals that fall into the period from `since` to `until`, both included."""
    if until < since:
        raise RotaError(f"a period cannot run backwards: {since} to {until}")
    return {key: length for key, length in totals.items() if since <= key[1] <= until}


def stretch_text(stretch: Interval) -> str:
    """A stretch for the screen: both stamps, then its length in hours."""
    hours = hours_text(stretch.length_min())
    return f"{format_stamp(stretch.start)} .. {format_stamp(stretch.end)} ({hours})"


def check(args: argparse.Namespace) -> list[str]:
    """Lines of the check command."""
    found = find_conflicts(load_roster(args.roster))
    return [conflict.line() for conflict in found] or ["no conflicts"]


def show(args: argparse.Namespace) -> list[str]:
    """Lines of the show command."""
    shifts = sorted(load_roster(args.roster), key=lambda shift: shift.interval)
    return [f"{stretch_text(shift.interval)}  {shift.employee}" for shift in shifts]


def report(args: argparse.Namespace) -> list[str]:
    """Lines of the report command."""
    totals = daily_totals(load_roster(args.roster))
    return table(in_days(totals, args.since, args.until))


def month(args: argparse.Namespace) -> list[str]:
    """Lines of the month command."""
    return month_lines(load_roster(args.roster), args.day.year, args.day.month)


def empty(args: argparse.Namespace) -> list[str]:
    """Lines of the empty command."""
    return empty_lines(load_roster(args.roster), args.day)


def next_run(args: argparse.Namespace) -> list[str]:
    """Lines of the next command."""
    return [format_stamp(CronRule.parse(args.rule).next_after(utc_now()))]


def terms(_args: argparse.Namespace) -> list[str]:
    """Lines of the terms command."""
    return term_lines()


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog="rota", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for run in (check, show, report, month, empty):
        command = commands.add_parser(run.__name__, help=run.__doc__)
        command.add_argument("roster", type=Path)
        command.set_defaults(run=run)
        if run is report:
            command.add_argument("--since", type=parse_day, default=date.min)
            command.add_argument("--until", type=parse_day, default=date.max)
        elif run in (month, empty):
            command.add_argument("day", type=parse_day)
    running = commands.add_parser("next", help="when a rule fires next")
    running.add_argument("rule")
    running.set_defaults(run=next_run)
    listing = commands.add_parser("terms", help="words that have been replaced")
    listing.set_defaults(run=terms)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 if it went well, 2 if the input was refused."""
    try:
        args = build_parser().parse_args(argv)
        lines = args.run(args)
    except RotaError as error:
        sys.stderr.write(f"rota: {error}\n")
        return 2
    sys.stdout.write("".join(line + "\n" for line in lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
