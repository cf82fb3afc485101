"""The command line of the dashboard."""

import argparse
from collections.abc import Sequence

from watch import demo
from watch.alarms import complaints
from watch.export import lines
from watch.snapshot import rows
from watch.table import render


def parser() -> argparse.ArgumentParser:
    """All options; each prints one thing, the table is printed without any."""
    options = argparse.ArgumentParser(prog="watch", description="Numbers of our caches.")
    options.add_argument("names", nargs="*", help="functions to show, all by default")
    options.add_argument("--json", action="store_true", help="one JSON object a line")
    options.add_argument("--alarms", action="store_true", help="complaints only")
    return options


def show(taken: list, options: argparse.Namespace) -> str:
    """What is printed for the rows."""
    if options.json:
        return lines(taken)
    if options.alarms:
        return "\n".join(complaints(taken)) or "nothing to complain about"
    return render(taken)


def main(arguments: Sequence[str]) -> int:
    """Print and return the exit code: 2 for a name that is not in the registry."""
    options = parser().parse_args(arguments)
    demo.exercise()
    try:
        taken = rows(demo.registry, options.names)
    except KeyError as error:
        print(f"no function {error} in the registry")
        return 2
    print(show(taken, options))
    return 0
