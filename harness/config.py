"""Configuration at the edge: Hydra composes, dataclasses come out. No other module knows Hydra."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.settings import (
    AgentConfig,
    BudgetConfig,
    Config,
    ExecutorConfig,
    GatewayConfig,
    ModelConfig,
    RunConfig,
    SeamConfig,
    StrategyConfig,
    StudyConfig,
    TasksConfig,
)
from harness.text import nearest


def project_folder() -> Path:
    """The folder that holds configs, tasks and results: the project's own."""
    return Path(__file__).resolve().parent.parent


def config_folder() -> Path:
    """Raises UserError where the package was installed away from its project."""
    folder = project_folder() / "configs"
    if not folder.is_dir():
        raise UserError(
            f"{folder}: no such folder; seambench works from its project's folder, where configs "
            "and tasks are: run `make setup` there, or `pip install -e .`"
        )
    return folder


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
