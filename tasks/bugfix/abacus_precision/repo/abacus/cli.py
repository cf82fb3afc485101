"""The command: `abacus [options] [expression ...]`.

Without an expression it reads lines from standard input. Options come
first; the first word that is none begins the expressions, each of them
a line of its own.
"""

import os
import sys

from .config import Settings
from .errors import CalcError, report
from .fixes import fix_lines
from .memory import keep, memory_path, recall
from .session import Session, interact
from .tables import points, read_range, table_lines

OPTIONS = [
    ("--fixes", "list the corrections of printed results"),
    ("--group", "blanks between every three digits"),
    ("--places N", "at most N digits behind the point"),
    ("--table RANGE", "a table over x, RANGE being first:last:step"),
    ("--help", "print this list"),
]


def help_lines():
    """One line per option."""
    width = max(len(option) for option, _ in OPTIONS)
    return [f"{option:<{width}}  {text}" for option, text in OPTIONS]


def split_arguments(argv):
    """(options as a mapping, expressions). Raises CalcError."""
    options, rest = {}, list(argv)
    known = {option.partition(" ")[0]: option for option, _ in OPTIONS}
    while rest and rest[0].startswith("--"):
        flag = rest.pop(0)
        if flag not in known:
            raise CalcError(f"unknown option {flag}")
        if " " in known[flag]:
            if not rest:
                raise CalcError(f"{flag} wants a value")
            options[flag] = rest.pop(0)
        else:
            options[flag] = "yes"
    return options, rest


def settings_from(options):
    """Settings as the options want them. Raises CalcError."""
    settings = Settings()
    if "--group" in options:
        settings.update("group", "yes")
    places = options.get("--places")
    if places is not None and not settings.update("places", places):
        raise CalcError("--places wants a whole number")
    return settings


def printed(session, text, wanted_range):
    """Lines to print for one expression. Raises CalcError."""
    if wanted_range is None:
        return [session.run_line(text)]

    def function(x):
        session.environment.variables["x"] = x
        return session.value(text)

    xs = points(*read_range(wanted_range))
    return table_lines(function, xs, session.settings.places)


def run(argv, source, out):
    """Do what the arguments say. Raises CalcError."""
    options, expressions = split_arguments(argv)
    if "--help" in options or "--fixes" in options:
        wanted = help_lines if "--help" in options else fix_lines
        out.write("\n".join(wanted()) + "\n")
        return
    path = memory_path(os.environ)
    session = Session(settings_from(options), recall(path))
    for text in expressions:
        lines = printed(session, text, options.get("--table"))
        out.write("\n".join(lines) + "\n")
    if not expressions:
        interact(session, source, out)
    keep(session.environment.variables, path)


def main(argv=None):
    """Entry point; the exit code is 1 after an error."""
    try:
        run(sys.argv[1:] if argv is None else argv, sys.stdin, sys.stdout)
    except CalcError as error:
        sys.stderr.write("\n".join(report(error)) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
