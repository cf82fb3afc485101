"""`seambench validate`: all rules over fixtures, as a table, cached by content."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import spread
from harness.admission import rules
from harness.admission.real import completion_before, examine
from harness.admission.strays import report_strays
from harness.admission.walk import DoesNotApply, apply
from harness.build import sandbox_here
from harness.config import config_folder, project_folder
from harness.errors import SeambenchError, TaskError
from harness.rubric import Rubric, load_rubric
from harness.scratch import swept
from harness.sources import cache_folder
from harness.store import write_atomic
from harness.tasks import LoadedTask, find_tasks, load_task
from harness.terminal import echo
from harness.text import digest

FROZEN = "FROZEN.json"

RULES = (
    "load",
    "counts",
    "edits",
    "names",
    "evidence",
    "redo",
    "slips",
    "solution",
    "alternatives",
    "walk",
    "beliefs",
    "seams",
    "controls",
    "completion",
)
"""Rules in the order in which they are examined; later ones need the earlier."""

NEEDS_EDITS = ("redo", "slips", "solution", "alternatives")


@dataclass(frozen=True)
class Verdict:
    """What admission found of one fixture: problems by rule.

    basic: enough for real agents only; `missing` names what the full level wants.
    """

    task: str
    problems: dict[str, list[str]]
    skipped: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        if self.problems:
            return "none"
        return "basic" if self.missing else "full"


def validate(paths: Sequence[str], *, summary: bool = False, strays: bool = False) -> int:
    """Print the table of rules and every problem. Exit code 0 where all are admitted, else 2.

    summary: print what the fixtures cover instead; strays: judge the strays instead.
    """
    if paths:
        roots = [Path(path).resolve() for path in paths]
        for root in roots:
            if not (root / "task.yaml").is_file():
                raise TaskError(f"{root}: no task.yaml there; expected tasks/<family>/<name>")
    else:
        places = [project_folder() / "tasks"]
        roots = list(find_tasks(places).values())
        if not roots:
            raise TaskError(f"{places[0]}: no tasks there; name folders of fixtures")
    if summary:
        tasks = [load_task(root).task for root in roots]
        echo("\n".join(spread.summary(tasks)))
        return 0
    if strays:
        loaded = {task.task.id: task for task in map(load_task, roots)}
        rubric = load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")
        report_strays(project_folder() / "tests" / "strays", loaded, rubric)
        return 0
    with swept(), ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        verdicts = []
        for verdict in pool.map(examine_folder, roots):
            verdicts.append(verdict)
            echo(f"{len(verdicts)} of {len(roots)}: {verdict.task}", beside=True)
    echo(table(verdicts))
    for verdict in verdicts:
        for rule, problems in verdict.problems.items():
            for problem in problems[:10]:
                echo(f"{verdict.task}: {rule}: {problem}")
            if len(problems) > 10:
                echo(f"{verdict.task}: {rule}: and {len(problems) - 10} more")
        if verdict.missing and not verdict.problems:
            echo(f"{verdict.task}: basic; the full level wants {', '.join(verdict.missing)}")
    levels = [verdict.level for verdict in verdicts]
    told = f"{levels.count('full')} of {len(verdicts)} fixtures admitted in all four bands"
    basic = levels.count("basic")
    echo(f"{told}, {basic} basic (for real agents only)" if basic else told)
    return 2 if "none" in levels else 0


def freeze(why: str | None) -> int:
    """Write the hashes of all `test` fixtures to tasks/FROZEN.json.

    Raises TaskError where a frozen one has changed and no reason is given for the log.
    """
    path = project_folder() / "tasks" / FROZEN
    old = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    loaded = [load_task(root) for root in find_tasks([project_folder() / "tasks"]).values()]
    new = {task.task.id: task.hash for task in loaded if task.task.split == "test"}
    changed = sorted(n for n, h in old.get("tasks", {}).items() if new.get(n) != h)
    if changed and not why:
        raise TaskError(f"{path}: {', '.join(changed)} changed since frozen; say why: --why '...'")
    log = old.get("changes", [])
    if changed:
        log = [*log, {"tasks": changed, "why": why}]
    text = json.dumps({"tasks": new, "changes": log}, ensure_ascii=False, indent=1) + "\n"
    write_atomic(path, text.encode("utf-8"))
    echo(f"{len(new)} fixtures of the test split frozen, {len(changed)} changed")
    return 0


def table(verdicts: Sequence[Verdict]) -> str:
    """A line per fixture, a column per rule: ok, number of problems, or - if not reached."""
    width = max([len("fixture"), *(len(verdict.task) for verdict in verdicts)])
    lines = [" ".join(["fixture".ljust(width), *RULES, "level"])]
    for verdict in verdicts:
        cells = []
        for rule in RULES:
            found = len(verdict.problems.get(rule, []))
            word = "-" if rule in verdict.skipped else str(found) if found else "ok"
            cells.append(word.ljust(len(rule)))
        lines.append(" ".join([verdict.task.ljust(width), *cells, verdict.level]))
    return "\n".join(lines)


def examine_folder(root: Path) -> Verdict:
    """Verdict over a fixture folder, from the cache where fixture and program are unchanged."""
    name = f"{root.parent.name}/{root.name}"
    try:
        loaded = load_task(root)
    except SeambenchError as error:
        return Verdict(name, {"load": [str(error)]}, RULES[1:])
    kept = cache_folder() / "admission" / f"{digest([loaded.hash, program_hash()])}.json"
    if kept.is_file():
        data = json.loads(kept.read_text(encoding="utf-8"))
        return Verdict(name, data["problems"], *map(tuple, (data["skipped"], data["missing"])))
    rubric = load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")
    verdict = examine_task(loaded, rubric)
    kept.parent.mkdir(parents=True, exist_ok=True)
    data = {key: value for key, value in vars(verdict).items() if key != "task"}
    write_atomic(kept, json.dumps(data, ensure_ascii=False).encode("utf-8"))
    return verdict


def program_hash() -> str:
    """Digest of the harness's source and the rubric: what a verdict depends on beside a task."""
    folder = Path(__file__).resolve().parent.parent
    sources = sorted(folder.rglob("*.py"))
    rubric = config_folder() / "rubric" / "continuity_v1.yaml"
    return digest([digest(path.read_bytes()) for path in [*sources, rubric]])


def examine_task(loaded: LoadedTask, rubric: Rubric) -> Verdict:
    """All rules over a loaded task; those of the basic level alone where it has no solution."""
    task, start = loaded.task, dict(loaded.texts)
    if not task.is_full:
        found = {
            "edits": rules.basic(task, start),
            "evidence": rules.evidence(task, start),
            "completion": asyncio.run(completion_before(loaded, sandbox_here("auto"))),
        }
        problems = {rule: told for rule, made in found.items() if (told := list(made))}
        skipped = tuple(rule for rule in RULES if rule != "load" and rule not in found)
        return Verdict(task.id, problems, skipped, tuple(rules.missing(task)))
    problems = {
        "counts": list(rules.counts(task, list(loaded.files))),
        "edits": list(rules.edits(task, start)),
        "names": list(rules.names(task)),
        "evidence": list(rules.evidence(task, start)),
    }
    if problems["edits"]:
        skipped = RULES[RULES.index("redo") :]
        return Verdict(task.id, {k: v for k, v in problems.items() if v}, skipped)
    seen = asyncio.run(examine(loaded, rubric, sandbox_here("auto")))
    for rule, told in seen.problems.items():
        problems.setdefault(rule, []).extend(told)
    facts_at = [seen.facts_at.get(done, []) for done in range(len(task.subgoals) + 1)]
    case = rules.Case(loaded, rubric, _states(loaded), facts_at)
    for rule in NEEDS_EDITS:
        problems[rule] = list(getattr(rules, rule)(case))
    return Verdict(task.id, {rule: problems[rule] for rule in RULES if problems.get(rule)})


def _states(loaded: LoadedTask) -> list[dict[str, str]]:
    states = [dict(loaded.texts)]
    for subgoal in loaded.task.subgoals:
        try:
            states.append(apply(subgoal.edits, states[-1]))
        except DoesNotApply:
            break
    return states
