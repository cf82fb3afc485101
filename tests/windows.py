"""Windows made by hand, to be judged: a seam in the small fixture, turns after it, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fixtures import LINE, ORDER, Data, fixture_data, fixture_files

from harness.config import config_folder
from harness.rubric import Rubric, load_rubric
from harness.scorer import Seam, score_window, window
from harness.task_model import Task
from harness.tasks import parse_task
from harness.transcript import Done, Turn
from harness.types import ITEMS, Evidence, Usage, WindowResult

DONE = ORDER[:4]
FACTS = ("no_print", "snake", "vendor", "port", "short")
ECHO = "def run_echo(value):\n    return value\n"


def registered() -> Rubric:
    return load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")


@dataclass(frozen=True)
class Case:
    """A seam after four sub-goals, and what is to be judged from it."""

    rubric: Rubric
    task: Task
    seam: Seam

    def judge(self, *turns: Turn, interventions: int = 0) -> WindowResult:
        made = window(self.task, self.seam, turns, str)
        return score_window(made, self.rubric, interventions)


def files_at_seam() -> dict[str, str]:
    """Alpha, bravo, changelog and carol are done."""
    files = fixture_files()
    for word in ("alpha", "bravo", "carol"):
        files[f"pkg/{word}.py"] = files[f"pkg/{word}.py"].replace(
            "run" + word.title(), "run_" + word
        )
    files["CHANGELOG.md"] = f"# Changes\n\n{LINE}- First version.\n"
    return files


def case_of(
    rubric: Rubric, change: Callable[[Data], Any] | None = None, facts: Sequence[str] = FACTS
) -> Case:
    data = fixture_data()
    if change:
        change(data)
    seam = Seam(facts, DONE, ORDER[4:], files_at_seam(), owned=[".agent/**"])
    return Case(rubric, parse_task(data, "small"), seam)


def turn(
    number: int,
    files: Mapping[str, str | None] | None = None,
    *calls: Done,
    say: str = "",
    phase: str = "work",
) -> Turn:
    """A turn after which these files hold these texts: here a text stands for its own SHA-256."""
    return Turn(number, say, calls, dict(files or {}), Usage(), phase)


def call(tool: str, **args: str) -> Done:
    return Done(tool, args, True, "")


def read(number: int, path: str = "pkg/echo.py") -> Turn:
    return turn(number, None, call("read_file", path=path))


def run(number: int, command: str) -> Turn:
    return turn(number, None, call("run", command=command))


def ask(number: int, question: str) -> Turn:
    return turn(number, None, call("ask_user", question=question))


def failed(result: WindowResult) -> list[str]:
    return [item for item in ITEMS if result["items"][item]["passed"] is False]


def only(result: WindowResult, item: str) -> Evidence:
    """The one piece of evidence of the one item that failed."""
    assert failed(result) == [item]
    (evidence,) = result["items"][item]["evidence"]
    assert result["failure_modes"] == [evidence["mode"]]
    return evidence
