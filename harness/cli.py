"""The command line. Light at import: every verb loads what it needs when it is called."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from harness import __version__


def parser() -> argparse.ArgumentParser:
    """All verbs and their arguments."""
    top = argparse.ArgumentParser(prog="seambench", description=__import__("harness").__doc__)
    top.add_argument("--version", action="version", version=f"seambench {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="verb")

    run = verbs.add_parser("run", help="run a configuration: trials, records, tables, plots")
    run.add_argument("overrides", nargs="*", help="in Hydra's grammar, e.g. strategy=long_mem")

    for name, told in (
        ("verify", "score all stored transcripts of a run again and compare"),
        ("score", "print the verdict of every trial of a run"),
    ):
        verbs.add_parser(name, help=told).add_argument("run", help="run folder or its name")

    report = verbs.add_parser("report", help="regenerate tables and plots from records")
    report.add_argument("runs", nargs="+", help="run folders or their names")

    show = verbs.add_parser("show", help="one trial around its seam: state, view, turns, verdict")
    show.add_argument("trial", help="trial id, or its beginning")
    show.add_argument("--run", help="run folder or its name; default: all")

    validate = verbs.add_parser("validate", help="check fixtures against the admission rules")
    validate.add_argument("paths", nargs="*", help="fixture folders; default: all in tasks/")
    validate.add_argument("--summary", action="store_true", help="what the fixtures cover")
    validate.add_argument("--strays", action="store_true", help="scorer against a person")

    new = verbs.add_parser("new-task", help="a commented fixture around a codebase")
    new.add_argument("--family", required=True)
    new.add_argument("--from", dest="source", required=True, help="folder of the codebase")
    new.add_argument("--name", help="default: the codebase's name")
    new.add_argument("--to", default="tasks", help="folder of tasks; default: tasks")
    new.add_argument("--full", action="store_true", help="also what the reference worker needs")

    export = verbs.add_parser("export", help="the task set as a Hugging Face dataset")
    export.add_argument("what", choices=["tasks"])
    export.add_argument("--to", required=True, help="new folder")
    export.add_argument("--tasks", action="append", help="folder of tasks; may be repeated")

    extract = verbs.add_parser("extract", help="state of conversations, one JSON line each")
    extract.add_argument("file", help="JSON Lines of {id, messages}")

    doctor = verbs.add_parser("doctor", help="check what a run needs on this machine")
    doctor.add_argument("overrides", nargs="*", help="as for run; checks that model's endpoint")

    gateway = verbs.add_parser("gateway", help="serve the reference worker as an endpoint")
    gateway.add_argument("--port", type=int, default=8765)
    gateway.add_argument("--host", default="127.0.0.1")
    gateway.add_argument("--token-env", help="environment variable with the token to require")
    gateway.add_argument("--tasks", action="append", help="folder of tasks; may be repeated")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb. Exit codes: 0 done, 1 unfinished or differing, 2 the user's mistake."""
    given = parser().parse_args(arguments)
    from harness.errors import SeambenchError, UserError, first_of

    try:
        return _dispatch(given)
    except KeyboardInterrupt:
        print("seambench: interrupted; the same command goes on from here", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1  # the reader of our output has gone
    except (SeambenchError, OSError, ExceptionGroup) as error:
        first = first_of(error)
        if not isinstance(first, SeambenchError | OSError):
            raise
        print(f"seambench: {' '.join(str(first).split())}", file=sys.stderr)
        return 2 if isinstance(first, UserError | OSError) else 1


def _dispatch(given: argparse.Namespace) -> int:
    if given.verb == "doctor":
        from harness.doctor import doctor

        return doctor(given.overrides)
    if given.verb == "validate":
        from harness.admission import validate

        return validate(given.paths, summary=given.summary, strays=given.strays)
    from harness import verbs

    if given.verb == "run":
        return verbs.run(given.overrides)
    if given.verb == "verify":
        return verbs.verify(given.run)
    if given.verb == "score":
        return verbs.score_run(given.run)
    if given.verb == "report":
        return verbs.report(given.runs)
    if given.verb == "show":
        return verbs.show(given.trial, given.run)
    if given.verb == "extract":
        return verbs.extract_file(given.file)
    if given.verb == "new-task":
        return verbs.new_task(given.family, given.name, given.source, given.to, given.full)
    if given.verb == "export":
        return verbs.export_tasks(given.to, given.tasks or ["tasks"])
    from harness.endpoint import read_key

    token = read_key(given.token_env) if given.token_env else None
    return verbs.gateway(given.port, given.host, token, given.tasks or ["tasks"])
