"""Data shared by every module: enums, frozen dataclasses, the shape of a record.

Words are those of the README's glossary. Messages are plain dicts in the OpenAI chat format, so
that what is stored is what was sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypedDict

SCHEMA_VERSION = 1

Message = dict[str, Any]
"""One chat message: role, content, and tool_calls or tool_call_id where they apply."""


Session = tuple[tuple[str, bytes], ...]
"""Files of an agent that keeps its own history: relative path and content, the newest last."""


class Kind(StrEnum):
    """What an established fact is about. One fact counts in one rubric item, by its kind."""

    CONSTRAINT = "constraint"
    PATH = "path"
    NAMING = "naming"
    PROGRESS = "progress"
    DECISION = "decision"
    ENVIRONMENT = "environment"


class Family(StrEnum):
    """Task families, in the order of rising compaction pressure that the study assumed."""

    RENAME = "rename"
    MIGRATE = "migrate"
    BUGFIX = "bugfix"
    FEATURE = "feature"


class Status(StrEnum):
    """What became of a planned trial."""

    SCORED = "scored"
    UNSCORED = "unscored"
    INVALID = "invalid"
    ERROR = "error"


BANDS: dict[str, tuple[float, float]] = {
    "early": (0.2, 0.4),
    "mid": (0.4, 0.7),
    "late": (0.7, 0.9),
    "end": (0.9, 1.0),
}
"""Seam bands: half-open ranges of the share of finished sub-goals."""

ITEMS = ("constraints", "file_paths", "subgoals", "naming", "no_reask", "context")
"""Rubric items in report order; `context` stands outside both verdicts."""

CONTROLS = ("full", "empty", "task_only", "oracle_card", "placebo_card", "restated")
"""Arms run on every prefix to measure ceiling, floor and format effects."""

Role = Literal["to_change", "changed", "read_only"]


@dataclass(frozen=True)
class Rule:
    """A standing rule of the user. `polarity` is "must" or "must_not"."""

    text: str
    polarity: Literal["must", "must_not"]


@dataclass(frozen=True)
class FileRole:
    """A file of the working set and what it is to the work."""

    path: str
    role: Role


@dataclass(frozen=True)
class State:
    """What state extraction finds in a history. Every list is in order of first mention."""

    constraints: tuple[Rule, ...] = ()
    files: tuple[FileRole, ...] = ()
    naming: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Usage:
    """Tokens of one or more model calls; `cached` is the part of `input` served from a cache.

    None where the server of a call did not tell: a sum with an unknown part is unknown.
    reasoning: the part of `output` that was thought and not said; None where no server told.
    """

    input: int | None = 0
    cached: int | None = 0
    output: int | None = 0
    reasoning: int | None = None

    def __add__(self, other: Usage) -> Usage:
        told = [n for n in (self.reasoning, other.reasoning) if n is not None]
        return Usage(
            _sum(self.input, other.input),
            _sum(self.cached, other.cached),
            _sum(self.output, other.output),
            sum(told) if told else None,
        )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


@dataclass(frozen=True)
class Reply:
    """One model response: the assistant message as it goes into the history, and its usage."""

    message: Message
    usage: Usage
    model: str
    fingerprint: str | None = None
    finish_reason: str | None = None


@dataclass(frozen=True)
class ToolCall:
    """A parsed tool call. `error` is set, and `args` empty, when it could not be parsed."""

    id: str
    name: str
    args: dict[str, Any]
    error: str | None = None


@dataclass(frozen=True)
class ToolResult:
    """What a tool gives back: `text` as the model sees it, `raw` where that was normalised."""

    text: str
    ok: bool
    raw: str | None = None
    seconds: float = 0.0
    timed_out: bool = False


@dataclass(frozen=True)
class Compaction:
    """A strategy's answer at the seam.

    `view` is the new list of messages. `artefacts` holds what was carried, by kind (summary, card,
    stored), as text. `noop` is true where the view was not made shorter.
    """

    view: list[Message]
    artefacts: dict[str, str] = field(default_factory=dict)
    usage: Usage = Usage()
    noop: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recovery:
    """A step of the declared recovery phase: what the agent is asked, for at most `turns` turns.

    confirm: the scripted user answers a reply without calls; otherwise a neutral word goes on.
    """

    messages: list[Message]
    turns: int = 6
    confirm: bool = False


@dataclass(frozen=True)
class Setup:
    """What a strategy with a prefix of its own brings before the work begins.

    instructions: put after the system prompt, as carried text. files: path -> text, laid down in
    the workspace before its first commit; every path is one of the strategy's `owned`.
    """

    instructions: str = ""
    files: dict[str, str] = field(default_factory=dict)


class Evidence(TypedDict):
    """Why an item failed: where, what, and which fact or sub-goal is concerned."""

    turn: int
    where: str
    what: str
    fact: str | None
    mode: str


class ItemResult(TypedDict):
    """`passed` is None where no fact of the item was established."""

    passed: bool | None
    exercised: bool
    evidence: list[Evidence]


class WindowResult(TypedDict):
    """The rubric over one window; `turns` are the scored turn numbers."""

    continued: bool
    continued_strict: bool
    items: dict[str, ItemResult]
    failure_modes: list[str]
    interventions: int
    turns: list[int]


class FactResult(TypedDict):
    """Retention and use of one established fact, kept apart. Unknown is None."""

    id: str
    kind: str
    loss: str | None
    present: bool
    exposed: bool
    obeyed: bool | None
    stated_turn: int
    mentions: int
    age_tokens: int


class Record(TypedDict, total=False):
    """The stored row of a trial; names are a public contract, described in the README."""

    schema_version: int
    harness_version: str
    trial_id: str
    run_id: str
    study: str | None
    task: str
    family: str
    codebase: str
    split: str
    language: str
    arm: str
    strategy: str
    addons: list[str]
    options: dict[str, Any]
    budget: dict[str, Any]
    sandbox: str
    model: str | None
    model_fingerprint: str | None
    model_sha256: str
    summariser: dict[str, str | None]
    extractor: dict[str, str | None]
    agent: str
    simulated: bool
    repeat: int
    timing: str
    seam: dict[str, Any] | None
    prefix_draw: int
    compaction_draw: int
    continuation_draw: int
    prefix_hash: str | None
    prefix_kind: str
    noop: bool | None
    status: str
    reason: str | None
    continued: bool | None
    continued_strict: bool | None
    windows: dict[str, WindowResult] | None
    facts: list[FactResult]
    first_response: str | None
    plan_kept: bool | None
    turns_to_resume: int | None
    turns_followed: int | None
    tokens_reread: int | None
    completed: bool | None
    tokens: dict[str, dict[str, int | None]] | None
    view_tokens: dict[str, int | None] | None
    cost_usd: dict[str, dict[str, float | None]] | None
    seconds: dict[str, float] | None
    attempts: list[dict[str, Any]]
    started_at: str
    task_hash: str
    rubric_version: str
    rubric_hash: str
