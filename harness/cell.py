"""What a run is made of: arms, cells (a prefix and the arms forked from it), and what all share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from harness.controls import Control
from harness.model import Model
from harness.prefix import Frozen, SeamRule
from harness.rubric import Rubric
from harness.sandbox import Sandbox
from harness.settings import Config
from harness.store import RunFolder
from harness.strategies import addon_class, default_options, make_strategy, strategy_class
from harness.strategies.base import Strategy
from harness.tail import Tail
from harness.tasks import LoadedTask
from harness.text import digest
from harness.types import CONTROLS, Record


class Namer(Protocol):
    """Name of the model to ask for, for a task: templates are filled here."""

    def __call__(self, task: LoadedTask, seed: int, *, prefix: bool) -> str: ...


@dataclass(frozen=True)
class Arm:
    """A strategy with its options and add-ons, or a control. `label` is the registered name.

    addons: {"name": ..., option: value} each, the innermost first.
    """

    name: str
    options: Mapping[str, Any]
    import_path: str | None = None
    addons: Sequence[Mapping[str, Any]] = ()

    @property
    def label(self) -> str:
        if self.name in CONTROLS:
            return _label(self.name, self.options)
        usual = default_options(self.name, self.import_path)
        paths = strategy_class(self.name, self.import_path).paths
        changed = {k: v for k, v in self.options.items() if k not in usual or v != usual[k]}
        return "+".join([_label(self.name, changed, paths), *self.addon_labels])

    @property
    def addon_labels(self) -> list[str]:
        """Registered names of the add-ons."""
        return [
            _label(addon["name"], {k: v for k, v in addon.items() if k != "name"}, kind.paths)
            for addon in self.addons
            for kind in [addon_class(addon["name"])]
        ]

    @property
    def own_prefix(self) -> bool:
        """Whether the strategy changes what happens before the seam."""
        if self.name in CONTROLS:
            return False
        return strategy_class(self.name, self.import_path).prefix == "own"

    def strategy(self) -> Strategy:
        """The arm's strategy; not for controls, which need a prefix."""
        return make_strategy(self.name, self.options, self.import_path, self.addons)

    def make(self, loaded: LoadedTask, frozen: Frozen) -> Strategy:
        """The strategy or control that goes on from a prefix."""
        if self.name in CONTROLS:
            seam = {"facts": frozen.seam["facts"], "done": frozen.seam["seam"]["done"]}
            return Control(self.name, loaded.task, seam)
        return self.strategy()


def _label(name: str, options: Mapping[str, Any], paths: Sequence[str] = ()) -> str:
    """Where a file lies is no part of a name: the same arm has it on every machine."""
    told = ",".join(k if k in paths else f"{k}={_short(v)}" for k, v in sorted(options.items()))
    return f"{name}[{told}]" if told else name


def _short(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True)
class Cell:
    """One prefix of the plan and the arms forked from it: (task, seam, draw).

    seams: how many seams follow each other in a trial; each has a record of its own.
    """

    loaded: LoadedTask
    rule: SeamRule
    repeat: int
    draw: int
    arms: Sequence[Arm]
    seed: int
    prefix_kind: str = "shared"
    seams: int = 1

    @property
    def key(self) -> str:
        """Identity of the prefix within a run."""
        parts = [self.loaded.hash, asdict(self.rule), self.draw, self.seed]
        if self.prefix_kind == "own":
            parts.append(self.arms[0].label)
        return digest(parts)[:16]

    def trial_id(self, arm: Arm, seam: int = 1) -> str:
        """Identity of the trial at a seam."""
        parts = [self.key, arm.name, dict(arm.options), arm.import_path]
        parts += [dict(addon) for addon in arm.addons]
        return digest(parts)[:16] + (f"-{seam}" if seam > 1 else "")

    def trial_ids(self, arm: Arm) -> list[str]:
        """Identities of all seams of an arm."""
        return [self.trial_id(arm, seam) for seam in range(1, self.seams + 1)]


@dataclass
class Caps:
    """Limits on a whole run: once one is reached nothing more is scheduled. None: no limit.

    tail: the records to count, whichever process wrote them.
    What a server does not tell, tokens or the part from its cache, cannot be counted as such: money
    is then taken at list price, and unknown tokens do not count.
    """

    usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None
    began: float = field(default_factory=time.monotonic)
    tail: Tail | None = None
    spent_usd: float = 0.0
    spent_tokens: int = 0
    counted: set[str] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """Count what a record cost; a shared prefix once."""
        for phase, used in (record.get("tokens") or {}).items():
            name = str(record.get("prefix_hash") if phase == "prefix" else record["trial_id"])
            if (name + phase) in self.counted:
                continue
            self.counted.add(name + phase)
            self.spent_tokens += (used["input"] or 0) + (used["output"] or 0)
            paid = (record.get("cost_usd") or {}).get(phase, {})
            self.spent_usd += paid.get("cached") or paid.get("list") or 0.0

    def reached(self) -> str | None:
        """Name of the limit that has been reached."""
        if self.tail and (self.usd is not None or self.tokens is not None):
            for record in self.tail.new():
                self.add(record)
        if self.usd is not None and self.spent_usd >= self.usd:
            return "run.max_usd"
        if self.tokens is not None and self.spent_tokens >= self.tokens:
            return "run.max_tokens"
        if self.seconds is not None and time.monotonic() - self.began >= self.seconds:
            return "run.max_hours"
        return None


@dataclass
class Environment:
    """What all trials of a run share.

    summariser: None where the model itself is asked; extractor: where the summariser is.
    """

    config: Config
    rubric: Rubric
    model: Model
    namer: Namer
    sandbox: Sandbox
    run: RunFolder
    on_event: Callable[[str, str], None]
    caps: Caps = field(default_factory=Caps)
    summariser: Model | None = None
    extractor: Model | None = None
