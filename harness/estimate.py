"""What a run would take. Rough on purpose: the assumptions are printed with the figures.

Turns and sizes are those of the reference worker's walk: about 2.4 turns a sub-goal, a view that
starts with the request and grows to about 1,000 tokens a sub-goal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness import tokens
from harness.cell import Cell
from harness.model import cost
from harness.settings import Config
from harness.types import BANDS, CONTROLS, Usage

TURNS_PER_SUBGOAL = 2.4
TOKENS_PER_SUBGOAL = 1000
TURNS_AFTER = 9
OUTPUT_PER_TURN = 150
SECONDS_PER_CALL = {"worker": 0.05, "endpoint": 8.0}
COMPACTED_SHARE = 0.15


def estimate(config: Config, cells: Sequence[Cell]) -> Iterator[str]:
    """Lines that say what the cells would take, and on which assumptions."""
    trials = sum(len(cell.arms) for cell in cells)
    calls, used = 0, Usage()
    saved = 0
    for cell in cells:
        turns, before = _prefix(config, cell)
        calls += turns + len(cell.arms) * TURNS_AFTER
        saved += turns * (len(cell.arms) - 1)
        used += Usage(turns * before // 2, 0, turns * OUTPUT_PER_TURN)
        for arm in cell.arms:
            after = before if arm.name == "full" else int(before * COMPACTED_SHARE)
            if arm.name not in CONTROLS or arm.name in ("placebo_card", "restated"):
                calls += 1
                used += Usage(before, 0, int(before * config.budget.summary_share))
            grown = after + TURNS_AFTER * 400
            used += Usage(TURNS_AFTER * grown, 0, TURNS_AFTER * OUTPUT_PER_TURN)
    money = cost(used, config.model.prices, cached=False)
    per_call = SECONDS_PER_CALL.get(config.model.kind, SECONDS_PER_CALL["endpoint"])
    minutes = calls * per_call / config.run.concurrency / 60
    yield f"{len(cells)} prefixes, {trials} trials"
    yield f"model calls: about {calls:,} (shared prefixes save {saved:,})"
    yield f"tokens: about {used.input:,} in, {used.output:,} out"
    yield "money: unknown (no model.prices)" if money is None else f"money: about {money:,.2f} USD"
    yield (
        f"time: about {minutes:,.0f} min at {config.run.concurrency} trials at once, "
        f"{per_call:g} s a call, commands of the tasks not counted"
    )
    yield (
        f"assumed: {TURNS_PER_SUBGOAL} turns a sub-goal, {TOKENS_PER_SUBGOAL} tokens of view a "
        f"sub-goal, {TURNS_AFTER} turns after the seam; no cached input"
    )


def _prefix(config: Config, cell: Cell) -> tuple[int, int]:
    """Turns of a prefix and tokens of its view at the seam."""
    subgoals = len(cell.loaded.task.subgoals)
    if config.seam.kind == "turn":
        turns = int(cell.rule.at)
        return turns, int(turns / TURNS_PER_SUBGOAL * TOKENS_PER_SUBGOAL)
    if config.seam.kind == "tokens":
        size = int(cell.rule.at)
        return int(size / TOKENS_PER_SUBGOAL * TURNS_PER_SUBGOAL), size
    done = BANDS[str(cell.rule.at)][0] * subgoals + 1
    request = tokens.count(cell.loaded.task.request.text)
    return int(done * TURNS_PER_SUBGOAL), int(request + done * TOKENS_PER_SUBGOAL)
