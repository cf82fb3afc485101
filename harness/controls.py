"""The controls: views that measure ceiling, floor, and what form and length alone do.

The one place where the fixture feeds a view; `trial` alone uses it. Strategies never see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness import tokens
from harness.strategies.bare import Bare
from harness.strategies.base import Context, Strategy, system_of
from harness.task_model import Task
from harness.text import carried, carried_message
from harness.types import Compaction, Message

# Neutral sentences about nothing in particular; validate proves that no task's evidence matches.
PLACEBO = {
    "en": (
        "The morning was quiet and a light rain fell on the square.",
        "A baker carried warm bread past the fountain.",
        "Two students talked about the museum and its old clocks.",
        "The tram was late, as it often is in spring.",
        "Someone had painted the bench green during the week.",
        "A dog slept under the table of the cafe.",
        "The river was high, but the bridge was dry.",
        "In the evening the lamps along the harbour came on one by one.",
    ),
    "zh": (
        "清晨的广场很安静，下着小雨。",
        "面包师提着热面包走过喷泉。",
        "两个学生在聊博物馆里的老钟。",
        "春天的电车又晚点了。",
        "这周有人把长椅漆成了绿色。",
        "一只狗睡在咖啡馆的桌子下面。",
        "河水涨了，桥面是干的。",
        "傍晚，港口的灯一盏一盏亮起来。",
    ),
}


def oracle_card(task: Task, established: Sequence[str], done: Sequence[str]) -> str:
    """Request verbatim, facts in force, one line per sub-goal with its state and files."""
    facts = [f"- {task.fact(name).says}" for name in established]
    steps = [
        f"- [{'x' if subgoal.id in done else ' '}] {subgoal.says} ({', '.join(subgoal.files)})"
        for subgoal in task.subgoals
    ]
    return "\n".join([task.request.text, "", "## Facts", *facts, "", "## Steps", *steps])


def placebo(language: str, size: int) -> str:
    """Neutral text of about `size` tokens."""
    lines: list[str] = []
    bank = PLACEBO[language]
    while tokens.count("\n".join(lines)) < size:
        lines.append("- " + bank[len(lines) % len(bank)])
    return "\n".join(lines)


class Control(Strategy):
    """One control arm over a frozen prefix."""

    def __init__(self, name: str, task: Task, seam: dict[str, Any]) -> None:
        self.name = name
        self.task = task
        self.oracle = oracle_card(task, seam["facts"], seam["done"])

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        if self.name == "full":
            return Compaction(view=list(history), noop=True)
        if self.name in ("placebo_card", "restated"):
            return await self._beside_summary(history, ctx)
        carried_parts = {
            "empty": [],
            "task_only": [("request", self.task.request.text)],
            "oracle_card": [("card", self.oracle)],
        }[self.name]
        view = [*system_of(history), carried_message(carried_parts, history)]
        return Compaction(view=view, artefacts=dict(carried_parts))

    async def _beside_summary(self, history: Sequence[Message], ctx: Context) -> Compaction:
        bare = await Bare().compact(history, ctx)
        summary = bare.artefacts["summary"]
        if self.name == "restated":
            last = {"role": "user", "content": carried("card", self.oracle)}
            artefacts = {"summary": summary, "card": self.oracle}
            return Compaction(view=[*bare.view, last], artefacts=artefacts)
        card = placebo(self.task.language, tokens.count(self.oracle))
        parts = [("card", card), ("summary", summary)]
        view = [*system_of(history), carried_message(parts, history)]
        return Compaction(view=view, artefacts=dict(parts))
