"""Configuration at the edge: Hydra composes, dataclasses come out. No other module knows Hydra."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.text import digest, nearest

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


def project_folder() -> Path:
    """The folder that holds configs, tasks and results: the project's own."""
    return Path(__file__).resolve().parent.parent


def config_folder() -> Path:
    return project_folder() / "configs"


def load_config(overrides: Sequence[str]) -> tuple[Config, str]:
    """Config for overrides in Hydra's grammar, and the composed configuration as YAML.

    `strategy=a,b` adds arms; several values elsewhere are refused, since a run is one grid of arms
    over tasks and seams. Raises UserError (one line, nearest name) for what does not compose.
    """
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    _require_groups(overrides)
    try:
        parsed = OverridesParser.create().parse_overrides(list(overrides))
    except HydraException as error:
        raise UserError(f"override: {_first_line(error)}") from None
    sweeps = {}
    plain = []
    for override in parsed:
        if override.is_sweep_override():
            sweeps[override.key_or_group] = [str(v) for v in override.sweep_string_iterator()]
        else:
            plain.append(override.input_line)
    if set(sweeps) - {"strategy"}:
        raise UserError(f"override: only strategy takes several values, not {sorted(sweeps)[0]}")
    chosen = sweeps.get("strategy", [None])
    composed = [_compose([*plain, *([f"strategy={name}"] if name else [])]) for name in chosen]
    data, text = composed[0]
    study = data["study"]
    if study["strategies"] is None:
        addons = [_addon(given) for given in data["addons"]]
        strategies = [replace(_strategy(each), addons=addons) for each, _ in composed]
        names = [name for name in study["beside"] if name not in [s.name for s in strategies]]
    else:
        strategies, names = [], study["strategies"]
    strategies += [_registered(name) for name in names]
    for variant in study["variants"]:
        usual = _registered(variant["strategy"])
        options = {**usual.options, **variant.get("options", {})}
        addons = [_addon(given) for given in variant.get("addons", [])]
        strategies.append(replace(usual, options=options, addons=addons))
    return _to_config(data, strategies), text


def _addon(given: Any) -> dict[str, Any]:
    """An add-on as {"name": ..., option: value}; a name alone takes its usual options."""
    if isinstance(given, str):
        return {"name": given}
    if isinstance(given, Mapping) and isinstance(given.get("name"), str):
        return dict(given)
    raise UserError(f"addons: expected names or {{name: ..., option: value}}, found {given!r}")


def _registered(name: str) -> StrategyConfig:
    """A strategy as its file in configs/strategy has it."""
    _require_choice("strategy", name)
    return _strategy(_compose([f"strategy={name}"])[0])


def _compose(overrides: Sequence[str]) -> tuple[dict[str, Any], str]:
    from hydra import compose, initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        with initialize_config_dir(str(config_folder()), version_base=None):
            config = compose("config", list(overrides))
        missing = sorted(OmegaConf.missing_keys(config))
        if missing:
            raise UserError(f"{missing[0]}: must be given, e.g. {missing[0]}=...")
        data = OmegaConf.to_container(config, resolve=True)
    except (HydraException, OmegaConfBaseException) as error:
        raise UserError(f"configuration: {_explain(error)}") from None
    return data, OmegaConf.to_yaml(config)  # type: ignore[return-value]


def _strategy(data: Mapping[str, Any]) -> StrategyConfig:
    return _make(StrategyConfig, data["strategy"], "strategy")


def _to_config(data: Mapping[str, Any], strategies: Sequence[StrategyConfig]) -> Config:
    groups = ("strategy", "family", "model", "seam", "budget", "rubric", "study", "executor")
    known = (*groups, "summariser", "extractor", "addons", "run", "tasks", "agent", "gateway")
    for key in data:
        if key not in known:
            raise UserError(f"configuration: unknown key {key!r}; nearest: {nearest(key, known)}")
    asks = any(s.import_path or s.options.get("extraction") == "model" for s in strategies)
    if data["extractor"]["kind"] != "same" and not asks:
        raise UserError(
            "extractor: no strategy asks for a state; give strategy.options.extraction=model"
        )
    rubric = data["rubric"]
    tasks = dict(data["tasks"])
    tasks["only"] = tasks["only"] or data["family"].get("only")
    return Config(
        strategies=strategies,
        families=data["family"]["families"],
        model=_model(data["model"]),
        seam=_make(SeamConfig, data["seam"], "seam"),
        budget=_make(BudgetConfig, data["budget"], "budget"),
        study=_make(StudyConfig, data["study"], "study"),
        run=_make(RunConfig, data["run"], "run"),
        tasks=_make(TasksConfig, tasks, "tasks"),
        executor=_make(ExecutorConfig, data["executor"], "executor"),
        agent=_agent(data["agent"]),
        plan_tool=bool(data["agent"]["plan"]),
        rubric=f"{rubric['name']}_v{rubric['version']}",
        summariser=_other(data["summariser"]),
        extractor=_other(data["extractor"]),
        gateway=_make(GatewayConfig, data["gateway"], "gateway") if "gateway" in data else None,
    )


def _agent(data: Mapping[str, Any]) -> AgentConfig:
    return _make(AgentConfig, {k: v for k, v in data.items() if k != "plan"}, "agent")


def _model(data: Mapping[str, Any]) -> ModelConfig:
    """The model of a configuration; of a tape, the model that was recorded on it."""
    from harness.model_spec import check_spec
    from harness.tape import recorded_model

    if data["kind"] == "tape":
        data = {**recorded_model(data["path"]), "tape": data["path"], "replay": True}
    config = _make(ModelConfig, data, "model")
    check_spec(config)
    return config


def _other(data: Mapping[str, Any]) -> ModelConfig | None:
    """The model of a further role; None where it is not one of its own."""
    return None if data["kind"] == "same" else _model(data)


def _make(kind: Any, data: Mapping[str, Any], where: str) -> Any:
    known = {field.name for field in fields(kind)}
    for key in data:
        if key not in known:
            raise UserError(f"{where}: unknown key {key!r}; nearest: {nearest(key, known)}")
    return kind(**data)


def _require_groups(overrides: Sequence[str]) -> None:
    """A wrong choice of a group is told with the nearest names, which Hydra does not do."""
    for override in overrides:
        group, equals, value = override.partition("=")
        if not equals or override.startswith(("-", "~")):
            raise UserError(f"override {override!r}: expected key=value")
        if (config_folder() / group.lstrip("+")).is_dir():
            for name in value.split(","):
                _require_choice(group.lstrip("+"), name)


def _require_choice(group: str, name: str) -> None:
    known = [path.stem for path in (config_folder() / group).glob("*.yaml")]
    if name not in known:
        raise UserError(f"{group}: no {name!r}; nearest: {nearest(name, known)}")


def _explain(error: Exception) -> str:
    """One line; for an unknown key the nearest of the keys beside it."""
    text = _first_line(error)
    found = re.search(r"Could not override '([^']+)'", str(error)) or re.search(
        r"Key '([^']+)' is not in struct", str(error)
    )
    if not found:
        return text
    return f"unknown key {found.group(1)!r}; nearest: {nearest(found.group(1), _all_keys())}"


def _all_keys() -> list[str]:
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    with initialize_config_dir(str(config_folder()), version_base=None):
        data = OmegaConf.to_container(compose("config", ["+gateway=default"]))
    return _flat_keys(data)  # type: ignore[arg-type]


def _flat_keys(data: Mapping[str, Any], start: str = "") -> list[str]:
    keys = []
    for key, value in data.items():
        keys.append(start + key)
        if isinstance(value, Mapping):
            keys.extend(_flat_keys(value, f"{start}{key}."))
    return keys


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
