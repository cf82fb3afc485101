"""The shape of a fixture's task.yaml. Unknown keys are refused; everything is frozen."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from harness.errors import TaskError
from harness.predicates import check_predicate
from harness.text import matches_all
from harness.types import Family

Loss = Literal[
    "prohibition",
    "must_run_before",
    "environment",
    "reason",
    "read_only",
    "work_done",
    "removed_api",
    "superseded",
    "directory",
    "show_first",
    "number",
]
"""Kinds of loss that people report after real compactions."""


def _pattern(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"{value!r} is no regular expression: {error}") from None
    return value


def _predicate(value: Any) -> Any:
    try:
        check_predicate(value, "predicate")
    except TaskError as error:
        raise ValueError(str(error)) from None
    return value


Pattern = Annotated[str, AfterValidator(_pattern)]
Check = Annotated[dict[str, Any], AfterValidator(_predicate)]


class Model(BaseModel):
    """Frozen; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Ask(Model):
    """Questions about one thing: all patterns of `match` are found in `sample` and its like."""

    match: list[Pattern]
    sample: str

    def matches(self, question: str) -> bool:
        return matches_all(self.match, question)


class Request(Model):
    """The first user message. `evidence`: patterns that tell that the goal is known."""

    text: str
    evidence: list[Pattern]
    asks: list[Ask] = []


class Remark(Model):
    """A casual message of the user, given after a sub-goal's turn or after turn `turn`."""

    id: str
    text: str
    after: str | None = None
    turn: int | None = None


class Call(Model):
    """One tool call."""

    tool: str
    args: dict[str, Any]


class Detour(Model):
    """A dead end acted out in the prefix, as one turn right after sub-goal `after`."""

    after: str
    say: str
    calls: list[Call]


class Commands(Model):
    """What the worker runs. `own` needs the fact `fact`; without it the worker runs `generic`."""

    own: str
    generic: str
    full: str
    fact: str | None = None


class FactCheck(Model):
    """`when` triggers, `then` must hold, both over the net change of a window."""

    when: Check
    then: Check


class Fact(Model):
    """Something established before the seam. `stated_in`: "request", a remark's or a detour's id.

    A detour is named by the sub-goal after which it happens, as `detour:<sub-goal>`.
    """

    id: str
    kind: Literal["constraint", "path", "naming", "decision", "environment"]
    loss: Loss | None = None
    says: str
    stated_in: str
    evidence: list[Pattern]
    asks: list[Ask] = []
    check: FactCheck
    supersedes: str | None = None


class Edit(Model):
    """One tool action: {path, old, new}, {path, content}, {path, content_from} or {run}."""

    path: str | None = None
    old: str | None = None
    new: str | None = None
    content: str | None = None
    content_from: str | None = None
    run: str | None = None

    @model_validator(mode="after")
    def _one_shape(self) -> Edit:
        shapes = ({"path", "old", "new"}, {"path", "content"}, {"path", "content_from"}, {"run"})
        if self.model_fields_set not in shapes:
            raise ValueError("expected {path, old, new}, {path, content} or {run}")
        return self

    def call(self) -> Call:
        """The tool call that makes this edit."""
        if self.run is not None:
            return Call(tool="run", args={"command": self.run})
        if self.content is not None:
            return Call(tool="write_file", args={"path": self.path, "content": self.content})
        return Call(tool="edit_file", args={"path": self.path, "old": self.old, "new": self.new})


class Redo(Model):
    """What doing a finished sub-goal again does, and the check that alone proves it."""

    edits: list[Edit]
    seen_when: Check


class Subgoal(Model):
    """One small step of the task. Without names, edits: enough for real agents only (basic)."""

    id: str
    says: str
    evidence: list[Pattern]
    files: list[str]
    done_when: Check
    names: list[str] = []
    needs: list[str] = []
    edits: list[Edit] = []
    redo: Redo | None = None


class Slip(Model):
    """What happens to a sub-goal when a fact it needs is unknown. Exactly one of the last four.

    `replace` derives the slip of each sub-goal from its own edits, by text.
    """

    fact: str
    subgoal: str | None = None
    subgoals: list[str] | Literal["all"] | None = None
    edits: list[Edit] | None = None
    ask: str | None = None
    run: str | None = None
    replace: dict[str, str] | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Slip:
        if len(self.model_fields_set & {"edits", "ask", "run", "replace"}) != 1:
            raise ValueError("expected exactly one of edits, ask, run, replace")
        return self


class Alternative(Model):
    """Another correct way on from the point where sub-goal `after` is done: edits turn by turn."""

    id: str
    says: str
    after: str
    turns: list[list[Edit]]


class Files(Model):
    """`editable` and `read_only` are globs; `decoys` maps a target to its look-alike."""

    editable: list[str]
    read_only: list[str] = []
    decoys: dict[str, str] = {}


class OpenQuestion(Model):
    """Something the request left open, with its locked answer."""

    asks: Ask
    answer: str


class Completion(Model):
    """The hidden check of the finished task: must exit 0 with completion/ laid in."""

    run: str


class Source(Model):
    """A pinned source distribution instead of (or under) repo/. `keep`: globs below its root."""

    sdist: str
    sha256: str
    keep: list[str]


class Task(Model):
    """One fixture. `root` is its folder; everything else is task.yaml."""

    id: str
    family: Family
    codebase: str
    language: Literal["en", "zh"]
    split: Literal["dev", "test"]
    request: Request
    files: Files
    facts: list[Fact]
    subgoals: list[Subgoal]
    source: Source | None = None
    remarks: list[Remark] = []
    detours: list[Detour] = []
    checks: Commands | None = None
    slips: list[Slip] = []
    alternatives: list[Alternative] = []
    open_questions: list[OpenQuestion] = []
    completion: Completion | None = None

    @property
    def is_full(self) -> bool:
        """It has what the reference worker needs; a basic one is for real agents only."""
        return self.checks is not None and all(s.names and s.edits for s in self.subgoals)

    def fact(self, fact_id: str) -> Fact:
        return next(fact for fact in self.facts if fact.id == fact_id)

    def subgoal(self, subgoal_id: str) -> Subgoal:
        return next(subgoal for subgoal in self.subgoals if subgoal.id == subgoal_id)

    def slip(self, subgoal_id: str, fact_id: str) -> Slip | None:
        """The slip for an unknown fact, `replace` worked out; None if there is none."""
        for slip in self.slips:
            named = slip.subgoals or [slip.subgoal]
            if slip.fact != fact_id or not (named == "all" or subgoal_id in named):
                continue
            if slip.replace is None:
                return slip
            edits = [_replaced(edit, slip.replace) for edit in self.subgoal(subgoal_id).edits]
            return Slip(fact=fact_id, subgoal=subgoal_id, edits=edits)
        return None


def _replaced(edit: Edit, replace: dict[str, str]) -> Edit:
    given = edit.model_dump(exclude_unset=True)
    for key in ("new", "content", "run"):
        for old, new in replace.items():
            if key in given:
                given[key] = given[key].replace(old, new)
    return Edit(**given)
