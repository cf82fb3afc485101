"""The command line: check a roster, report on it, ask for the next run of a rule."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from rota import RotaError
from rota.batches import batch_lines
from rota.clock import format_stamp, parse_day, utc_now
from rota.conflicts import find_conflicts
from rota.cron import CronRule
from rota.reporting import DayKey, daily_totals, table
from rota.storage import load_roster


def in_days(totals: dict[DayKey, int], since: date, until: date) -> dict[DayKey, int]:
    """The totals that fall into the period from `since` to `until`."""
    return {key: length for key, length in totals.items() if since <= key[1] < until}


def check(args: argparse.Namespace) -> list[str]:
    """Lines of the check command."""
    found = find_conflicts(load_roster(args.roster))
    return [conflict.line() for conflict in found] or ["no conflicts"]


def report(args: argparse.Namespace) -> list[str]:
    """Lines of the report command."""
    totals = daily_totals(load_roster(args.roster))
    return table(in_days(totals, args.since, args.until))


def next_run(args: argparse.Namespace) -> list[str]:
    """Lines of the next command."""
    return [format_stamp(CronRule.parse(args.rule).next_after(utc_now()))]


def batches(_args: argparse.Namespace) -> list[str]:
    """Lines of the batches command."""
    return batch_lines()


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog="rota", description=__doc__)
    commands = parser.add_subparsers(required=True)
    checking = commands.add_parser("check", help="list the conflicts of a roster")
    checking.add_argument("roster", type=Path)
    checking.set_defaults(run=check)
    reporting = commands.add_parser("report", help="hours by employee and day")
    reporting.add_argument("roster", type=Path)
    reporting.add_argument("--since", type=parse_day, default=date.min)
    reporting.add_argument("--until", type=parse_day, default=date.max)
    reporting.set_defaults(run=report)
    running = commands.add_parser("next", help="when a rule fires next")
    running.add_argument("rule")
    running.set_defaults(run=next_run)
    listing = commands.add_parser("batches", help="corrections in this version")
    listing.set_defaults(run=batches)
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
