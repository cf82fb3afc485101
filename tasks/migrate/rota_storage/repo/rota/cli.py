"""The command line: what a plan holds, its conflicts, its hours."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from rota import RotaError
from rota.absences import impossible, load_absences
from rota.clock import format_stamp, parse_day
from rota.conflicts import find_conflicts
from rota.reporting import daily_totals, table
from rota.rosters import load_roster
from rota.storage import load_table, table_kinds
from rota.versions import format_lines


def kinds(args: argparse.Namespace) -> list[str]:
    """Lines of the kinds command: how many things of each kind the plan holds."""
    return [f"{kind:<10}{len(load_table(args.plan, kind)):>6}" for kind in table_kinds(args.plan)]


def check(args: argparse.Namespace) -> list[str]:
    """Lines of the check command: conflicts, and shifts of people who are away."""
    shifts = load_roster(args.plan)
    found = [conflict.line() for conflict in find_conflicts(shifts)]
    gone = impossible(shifts, load_absences(args.plan))
    found += [f"away: {shift.employee}: {format_stamp(shift.start)}" for shift in gone]
    return found or ["no conflicts"]


def report(args: argparse.Namespace) -> list[str]:
    """Lines of the report command: hours by employee and day."""
    if args.until < args.since:
        raise RotaError(f"a period cannot run backwards: {args.since} to {args.until}")
    totals = daily_totals(load_roster(args.plan))
    return table({k: length for k, length in totals.items() if args.since <= k[1] <= args.until})


def formats(_args: argparse.Namespace) -> list[str]:
    """Lines of the formats command."""
    return format_lines()


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog="rota", description=__doc__)
    commands = parser.add_subparsers(required=True)
    for run in (kinds, check, report):
        command = commands.add_parser(run.__name__, help=run.__doc__)
        command.add_argument("plan", type=Path)
        command.set_defaults(run=run)
        if run is report:
            command.add_argument("--since", type=parse_day, default=date.min)
            command.add_argument("--until", type=parse_day, default=date.max)
    listing = commands.add_parser("formats", help="formats in which plans have been kept")
    listing.set_defaults(run=formats)
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
