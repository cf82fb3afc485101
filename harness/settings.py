"""What a run is configured by, once it is composed: see configs/ for the meaning of each field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.text import digest

CAPS = ("max_usd", "max_tokens", "max_hours")


@dataclass(frozen=True)
class StrategyConfig:
    """A strategy by name, or by import path, with its options and add-ons (see cell.Arm)."""

    name: str
    options: Mapping[str, Any]
    import_path: str | None = None
    addons: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class ModelConfig:
    """Which model answers; `kind` worker is served in this process, endpoint is elsewhere.

    What an endpoint is asked for is told in model.ModelSpec. tape: file that calls are recorded
    to; replay: they are answered from it instead, and nothing is asked.
    """

    kind: str
    name: str
    base_url: str | None
    key_env: str | None
    temperature: float | None
    max_output: int | None
    timeout_s: float
    retries: int
    prices: Mapping[str, float] | None
    habits: Mapping[str, float] | None
    path: str | None = None
    server: str | None = None
    start_s: float = 120.0
    sha256: str | None = None
    summary_prompt: str | None = None
    api: str = "chat"
    tools: str = "native"
    tool_choice: str | None = None
    effort: str | None = None
    window: int | None = None
    headers: Mapping[str, str] | None = None
    headers_env: Mapping[str, str] | None = None
    tape: str | None = None
    replay: bool = False


@dataclass(frozen=True)
class SeamConfig:
    """Where the seam falls: repeat r takes `at[r % len(at)]` and draw r // len(at).

    count: seams in a row in one trial, each scored. gap: least number of turns between them.
    """

    kind: str
    at: Sequence[str | int]
    repeats: int
    count: int
    gap: int


@dataclass(frozen=True)
class BudgetConfig:
    """See strategies.base.Budget."""

    mode: str
    total: int | None
    summary_share: float
    card: int


@dataclass(frozen=True)
class StudyConfig:
    """Which arms stand side by side, over which tasks, with which seed and stopping rule.

    strategies: None takes the chosen one and those in `beside`. variants: further arms as
    {strategy, options}. repeats: None takes the seam's. valid: number of scored records over all
    strategies (controls not counted) at which the study is complete; None runs what is planned.
    reserves: further seams per cell that may be run until `valid` is reached. hypotheses: families
    of registered comparisons, name -> [[arm, base], ...]. sample: so many pairs of task and seam,
    drawn at random with the seed; None takes all.
    """

    name: str
    beside: Sequence[str]
    controls: Sequence[str]
    splits: Sequence[str]
    seed: int
    strategies: Sequence[str] | None
    variants: Sequence[Mapping[str, Any]]
    repeats: int | None
    prefix: str
    valid: int | None
    reserves: int
    hypotheses: Mapping[str, Any] | None
    sample: int | None = None


@dataclass(frozen=True)
class RunConfig:
    """How a run is carried out."""

    name: str | None
    results: str
    concurrency: int
    to_completion: bool
    max_turns: int
    sandbox: str
    prefixes: str | None
    max_usd: float | None
    max_tokens: int | None
    max_hours: float | None


@dataclass(frozen=True)
class ExecutorConfig:
    """Where cells are carried out: kind local, processes, ray or submitit.

    workers: processes, or jobs, at once. address: of a Ray cluster, or submitit's cluster.
    parameters: for submitit.
    """

    kind: str
    workers: int | None
    address: str | None
    parameters: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class AgentConfig:
    """Who works: kind loop is the built-in one; codex is Codex CLI, which takes the model for one
    of those that it knows, named by `model`."""

    kind: str
    model: str | None


@dataclass(frozen=True)
class GatewayConfig:
    """What `seambench gateway` does with a strategy, see configs/gateway."""

    window: int | None
    trigger: float
    api: str
    log: str | None


@dataclass(frozen=True)
class TasksConfig:
    """Where tasks are and which are taken."""

    path: Sequence[str]
    source: str | None
    only: Sequence[str] | None


@dataclass(frozen=True)
class Config:
    """One composed configuration. `strategies` holds the chosen one(s), then those beside them."""

    strategies: Sequence[StrategyConfig]
    families: Sequence[str]
    model: ModelConfig
    seam: SeamConfig
    budget: BudgetConfig
    study: StudyConfig
    run: RunConfig
    tasks: TasksConfig
    executor: ExecutorConfig
    agent: AgentConfig
    plan_tool: bool
    rubric: str
    gateway: GatewayConfig | None = None
    summariser: ModelConfig | None = None
    extractor: ModelConfig | None = None

    def identity(self) -> dict[str, Any]:
        """What makes two runs the same experiment: everything but where and how fast it runs."""
        data = asdict(self)
        # Task hashes are compared instead: the same tasks elsewhere are the same experiment.
        for name in ("tasks", "executor", "gateway"):
            data.pop(name)
        for name in ("name", "results", "concurrency", "prefixes", *CAPS):
            data["run"].pop(name)
        data["study"].pop("sample")  # a larger sample holds the smaller one
        if self.extractor is None:  # as runs are that were made before it could be set
            data.pop("extractor")
        for role in ("model", "summariser", "extractor"):
            for name in ("path", "server", "start_s", "tape"):
                (data.get(role) or {}).pop(name, None)  # the file's hash says which model it is
        return data

    def run_name(self) -> str:
        """The folder's name: given, or derived from strategy, families and the digest."""
        if self.run.name:
            return self.run.name
        if self.study.valid is not None:
            return self.study.name
        families = self.families[0] if len(self.families) == 1 else "all"
        identity = [self.identity(), self.tasks.only]
        families = families if self.tasks.only is None else f"{len(self.tasks.only)}-tasks"
        return f"{self.strategies[0].name}-{families}-{digest(identity)[:8]}"
