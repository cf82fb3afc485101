"""The command line. Light at import: every verb loads what it needs when it is called."""

from __future__ import annotations

import argparse
import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence

from harness import __version__
from harness.terminal import echo


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
        ("claims", "the seeds' claims against a run"),
    ):
        verbs.add_parser(name, help=told).add_argument("run", help="run folder or its name")

    report = verbs.add_parser("report", help="regenerate tables and plots from records")
    report.add_argument("runs", nargs="+", help="run folders or their names; several: side by side")
    report.add_argument("--rates", help="the scorer's errors: a file of audit-score, or strays")
    report.add_argument("--out", help="folder; default: in the run folder, or beside the first one")

    plots = verbs.add_parser("plots", help="regenerate the plots of a run")
    plots.add_argument("run", help="run folder or its name")
    plots.add_argument("--out", help="folder; default: report/plots in the run folder")

    compare = verbs.add_parser("compare", help="a run against an earlier one, pair by pair")
    compare.add_argument("before", help="run folder or its name")
    compare.add_argument("after", help="run folder or its name")
    compare.add_argument(
        "--margin", type=float, default=0.05, help="share; exit 1 if worse by more"
    )
    compare.add_argument("--arms", nargs="+", default=[], help="only these; default: all in both")

    sample = verbs.add_parser("audit-sample", help="a blinded sheet of trials for people to judge")
    sample.add_argument("run", help="run folder or its name")
    sample.add_argument("-n", type=int, default=100, dest="count", help="how many trials")
    sample.add_argument("--out", required=True, help="new CSV file")

    judge = verbs.add_parser("audit-judge", help="let a model fill a sheet of audit-sample")
    judge.add_argument("sheet", help="file of audit-sample")
    judge.add_argument("overrides", nargs="*", help="the model, as for run: model=openai ...")
    judge.add_argument("--out", help="CSV of its answers; default: SHEET--MODEL.csv")

    judged = verbs.add_parser("audit-score", help="the code's verdicts against a filled sheet")
    judged.add_argument("sheets", nargs="+", help="files of audit-sample, filled in: one a judge")
    judged.add_argument("--key", help="the key of audit-sample; default: beside the first sheet")

    drawn = verbs.add_parser("detector-sample", help="facts to label by reading, patterns unseen")
    drawn.add_argument("run", help="run folder or its name")
    drawn.add_argument("-n", type=int, default=300, dest="count", help="how many facts")
    drawn.add_argument("--seed", type=int, default=0)
    drawn.add_argument("--out", required=True, help="new JSON Lines file")

    detector = verbs.add_parser("detector", help="the patterns of the facts against a reader")
    detector.add_argument("run", help="run folder or its name")
    detector.add_argument("labels", help="the file of detector-sample, labelled")
    detector.add_argument("--beside", help="a run over the same prefixes with other summaries")
    detector.add_argument("--sessions", help="folder of session files to lay beside, as for audit")
    detector.add_argument("--out", help="folder of the tables; default: the run's report")

    show = verbs.add_parser("show", help="one trial around its seam: state, view, turns, verdict")
    show.add_argument("trial", help="trial id, or its beginning")
    show.add_argument("--run", help="run folder or its name; default: all")

    validate = verbs.add_parser("validate", help="check fixtures against the admission rules")
    validate.add_argument("paths", nargs="*", help="fixture folders; default: all in tasks/")
    validate.add_argument("--summary", action="store_true", help="what the fixtures cover")
    validate.add_argument("--freeze", action="store_true", help="freeze the test fixtures")
    validate.add_argument("--why", help="with --freeze: why frozen fixtures were changed")
    validate.add_argument("--strays", action="store_true", help="scorer against a person")

    new = verbs.add_parser("new-task", help="a commented fixture around a codebase")
    new.add_argument("--family", required=True)
    new.add_argument("--from", dest="source", required=True, help="folder of the codebase")
    new.add_argument("--name", help="default: the codebase's name")
    new.add_argument("--to", default="tasks", help="folder of tasks; default: tasks")
    new.add_argument("--full", action="store_true", help="also what the reference worker needs")

    register = verbs.add_parser("register", help="write a study down before it runs")
    register.add_argument("overrides", nargs="*", help="as for run, e.g. study=study430")

    estimate = verbs.add_parser("estimate", help="calls, tokens, money and time of a run")
    estimate.add_argument("overrides", nargs="*", help="as for run")

    resume = verbs.add_parser("resume", help="go on with a run by its folder")
    resume.add_argument("run", help="run folder or its name")

    retry = verbs.add_parser("retry", help="run chosen failures of a run again")
    retry.add_argument("run", help="run folder or its name")
    retry.add_argument(
        "--status", required=True, help="e.g. error, error:model, error:model:timeout"
    )

    rows = verbs.add_parser("records", help="records of a run for other programs")
    rows.add_argument("run", help="run folder or its name")
    rows.add_argument("--to", choices=["parquet", "csv", "hf"], default="parquet")
    rows.add_argument("--out", help="file or folder; default: in the run folder")

    export = verbs.add_parser("export", help="tasks, prefixes, memories or transcripts")
    export.add_argument("what", choices=["tasks", "prefixes", "memory", "atif", "inspect"])
    export.add_argument("run", nargs="?", help="run folder or its name, or a session file")
    export.add_argument("--to", required=True, help="new folder; for memory a file")
    export.add_argument("--tasks", action="append", help="folder of tasks; may be repeated")

    extract = verbs.add_parser("extract", help="state of conversations, one JSON line each")
    extract.add_argument("file", help="JSON Lines of {id, messages}")

    audit = verbs.add_parser("audit", help="what compactions in session files lost")
    audit.add_argument("paths", nargs="+", help="session files, or folders of them")
    audit.add_argument("--json", help="also write every finding there, as JSON Lines")
    audit.add_argument("--html", help="also write one page there")
    audit.add_argument("--redact", action="store_true", help="hide home folders, mails, keys")
    audit.add_argument("--to-fixture", metavar="SESSION#SEAM", help="write a task to complete")
    audit.add_argument("--to", default="tasks", help="folder of tasks for it; default: tasks")
    audit.add_argument("--from", dest="source", help="codebase for it, as it was at the seam")

    listed = verbs.add_parser("strategies", help="all strategies and add-ons with their options")
    listed.add_argument("--markdown", action="store_true", help="as the tables of the docs")

    scenario = verbs.add_parser("scenario", help="agents that share a workspace: two_agents")
    scenario.add_argument("name", help="of configs/scenario, or a file")
    scenario.add_argument("overrides", nargs="*", help="as for run, e.g. model=endpoint")

    reference = verbs.add_parser("reference", help="does a run repeat the committed reference?")
    reference.add_argument("run", help="run folder or its name")
    reference.add_argument("--pack", action="store_true", help="make it the reference instead")

    doctor = verbs.add_parser("doctor", help="check what a run needs on this machine")
    doctor.add_argument("overrides", nargs="*", help="as for run; checks that model's endpoint")

    gateway = verbs.add_parser("gateway", help="an endpoint with a strategy in it, or the worker")
    gateway.add_argument("overrides", nargs="*", help="e.g. strategy=engram model=endpoint ...")
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
        with _sigterm_as_ctrl_c():
            return _dispatch(given)
    except KeyboardInterrupt:
        echo("seambench: interrupted; the same command goes on from here", beside=True)
        return 1
    except BrokenPipeError:
        return 1  # the reader of our output has gone
    except (SeambenchError, OSError, ExceptionGroup) as error:
        first = first_of(error)
        if not isinstance(first, SeambenchError | OSError):
            raise
        echo(f"seambench: {' '.join(str(first).split())}", beside=True)
        return 2 if isinstance(first, UserError | OSError) else 1


@contextlib.contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """What a scheduler or `kill` sends ends a verb in order, and nothing is left behind."""
    if threading.current_thread() is not threading.main_thread():  # only there it can be set
        yield
        return
    before = {signal.SIGINT: signal.getsignal(signal.SIGINT)}
    if before[signal.SIGINT] == signal.SIG_IGN:  # so shells start what runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before[signal.SIGTERM] = signal.signal(
        signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT)
    )
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _dispatch(given: argparse.Namespace) -> int:
    if given.verb == "doctor":
        from harness.doctor import doctor

        return doctor(given.overrides)
    if given.verb == "validate":
        from harness.admission import freeze, validate

        if given.freeze:
            return freeze(given.why)
        return validate(given.paths, summary=given.summary, strays=given.strays)
    if given.verb == "audit":
        from harness.verbs import audit

        return audit.run(given)
    if given.verb in ("run", "register", "estimate", "resume", "retry"):
        return _run_verb(given)
    if given.verb in ("report", "plots", "compare", "claims"):
        return _report_verb(given)
    if given.verb in ("audit-sample", "audit-judge", "audit-score"):
        return _judge_verb(given)
    if given.verb == "detector-sample":
        from harness.verbs.detector import detector_sample

        return detector_sample(given.run, given.count, given.seed, given.out)
    if given.verb == "detector":
        from harness.verbs.detector import detector

        return detector(given.run, given.labels, given.beside, given.sessions, given.out)
    if given.verb == "strategies":
        from harness.verbs.strategies import strategies

        return strategies(given.markdown)
    if given.verb == "scenario":
        from harness.verbs.scenario import scenario

        return scenario(given.name, given.overrides)
    if given.verb in ("verify", "score", "show", "extract", "reference"):
        return _look_verb(given)
    if given.verb == "gateway":
        return _gateway_verb(given)
    return _share_verb(given)


def _run_verb(given: argparse.Namespace) -> int:
    from harness.verbs import runs

    if given.verb == "run":
        return runs.run(given.overrides)
    if given.verb == "estimate":
        return runs.estimate(given.overrides)
    if given.verb == "register":
        return runs.register(given.overrides)
    return runs.resume(given.run, given.status if given.verb == "retry" else None)


def _report_verb(given: argparse.Namespace) -> int:
    from harness.verbs import report

    if given.verb == "report":
        return report.report(given.runs, given.rates, given.out)
    if given.verb == "plots":
        return report.plots(given.run, given.out)
    if given.verb == "compare":
        return report.compare(given.before, given.after, given.margin, given.arms)
    return report.claims(given.run)


def _judge_verb(given: argparse.Namespace) -> int:
    from harness.verbs import judge

    if given.verb == "audit-sample":
        return judge.audit_sample(given.run, given.count, given.out)
    if given.verb == "audit-judge":
        return judge.audit_judge(given.sheet, given.overrides, given.out)
    return judge.audit_score(given.sheets, given.key)


def _look_verb(given: argparse.Namespace) -> int:
    from harness.verbs import look

    if given.verb == "verify":
        return look.verify(given.run)
    if given.verb == "score":
        return look.score_run(given.run)
    if given.verb == "show":
        return look.show(given.trial, given.run)
    if given.verb == "reference":
        return look.reference(given.run, pack=given.pack)
    return look.extract_file(given.file)


def _share_verb(given: argparse.Namespace) -> int:
    from harness.verbs import share

    if given.verb == "new-task":
        return share.new_task(given.family, given.name, given.source, given.to, given.full)
    if given.verb == "records":
        return share.export_records(given.run, given.to, given.out)
    if given.verb == "export" and given.what == "prefixes":
        return share.export_prefixes(given.run or "", given.to)
    if given.verb == "export" and given.what == "memory":
        return share.export_memory(given.run or "", given.to)
    if given.verb == "export" and given.what in ("atif", "inspect"):
        from harness.verbs.transcripts import export_transcripts

        return export_transcripts(given.run or "", given.what, given.to)
    return share.export_tasks(given.to, given.tasks or ["tasks"])


def _gateway_verb(given: argparse.Namespace) -> int:
    from harness.endpoint import read_key
    from harness.verbs.gateway import gateway

    token = read_key(given.token_env) if given.token_env else None
    return gateway(given.overrides, given.port, given.host, token, given.tasks or ["tasks"])
