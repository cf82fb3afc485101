"""The command: `abacus [options] [expression ...]`.

Without an expression it reads lines from standard input. Options come
first; the first word that is none begins the expressions, each of them
a line of its own.
"""

import sys

from .config import load_settings
from .errors import CalcError, report
from .features import feature_lines
from .session import Session, interact

OPTIONS = [
    ("--features", "list what the language can do"),
    ("--group", "blanks between every three digits"),
    ("--places N", "at most N digits behind the point"),
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


def apply_options(options, settings):
    """Put options into the settings. Raises CalcError."""
    if "--group" in options:
        settings.update("group", "yes")
    places = options.get("--places")
    if places is not None and not settings.update("places", places):
        raise CalcError("--places wants a whole number")


def run(argv, source, out):
    """Do what the arguments say. Raises CalcError."""
    options, expressions = split_arguments(argv)
    if "--help" in options or "--features" in options:
        wanted = help_lines if "--help" in options else feature_lines
        out.write("\n".join(wanted()) + "\n")
        return
    settings = load_settings()
    apply_options(options, settings)
    session = Session(settings)
    for text in expressions:
        out.write(session.run_line(text) + "\n")
    if not expressions:
        interact(session, source, out)


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
