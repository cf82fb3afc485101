"""tattoo: rules, progress and surroundings in files, put into the system prompt at every call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from harness import tokens
from harness.errors import UserError
from harness.extract import extract
from harness.strategies import tattoo_files as files
from harness.strategies.anew import BASES, begun_anew
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.keep import carried_parts
from harness.strategies.steps import require_choice
from harness.text import carried, content_text
from harness.transcript import Turn
from harness.types import Compaction, Message, Recovery, Setup

READING = "First read {names}. What they say holds."
RECITING = "State in at most five sentences the rules and the next step. Change nothing yet."
REMINDING = "After each step, write `{name}` with the goal, the plan. It is out of date."


@dataclass(eq=False)
class Tattoo(Strategy):
    """Files in .agent/ that code keeps by state extraction, and the agent cannot help but see.

    load: "injected" puts them into the system prompt at every call, "instructed" asks the agent to
    read them. task: name of the progress file, of which every task (and every agent in one
    workspace) has its own. wording of the rules: "must", "should", "descriptive". order: "danger"
    has prohibitions first, "stated" not. long_rules: "copy" has them in full, "reference" only
    their beginning, and a file to read for the rest. limit: tokens shown in one view, None takes
    the budget's for a card. hook: decisions, surroundings and prohibitions are written down at a
    seam. stale: the files are written once and then never again. remind: calls without a change of
    the progress file after which the agent is reminded of it, 0 for never (20: three steps).
    recite: after a seam the agent tells the rules and the next step, and is shown the files again
    where it cannot. when: they are loaded from the "start", or "mid_task", once a step is done.
    base: what the compaction leaves beside them, a free summary or the user's last message alone.
    """

    name = "tattoo"
    prefix = "own"
    owned = (f"{files.FOLDER}/**",)
    source = "seed 000"
    keeps = "files of rules, progress and surroundings in the system prompt, a summary"
    fixed_tokens = 128  # the usual 48, and the longer two of the constant sentences

    load: str = "injected"
    task: str = "task-001"
    wording: str = "must"
    order: str = "danger"
    long_rules: str = "copy"
    limit: int | None = None
    hook: bool = True
    stale: bool = False
    remind: int = 20
    recite: bool = False
    when: str = "start"
    base: str = "summary"

    def __post_init__(self) -> None:
        require_choice("load", self.load, ("injected", "instructed"))
        require_choice("wording", self.wording, tuple(files.WORDINGS))
        require_choice("order", self.order, ("danger", "stated"))
        require_choice("long_rules", self.long_rules, ("copy", "reference"))
        require_choice("when", self.when, ("start", "mid_task"))
        if not files.TASK.fullmatch(str(self.task)):
            raise UserError(f"strategy.task: expected a file name, found {self.task!r}")
        self.progress = files.progress_path(self.task)
        # In the order in which they are shown; what is over the limit is cut at the end.
        self.names = (files.RULES, self.progress, files.CONTEXT, files.DECISIONS)
        require_choice("base", self.base, BASES)
        self.calls = int(self.base == "summary")
        self._seen: list[Message] = []  # what the agent was shown last, without the files
        self._before = ""  # the files as they were at the last seam, as a card
        self._calls = 0  # since the progress file changed

    def start(self) -> Setup:
        read = ", ".join(f"`{name}`" for name in self.names)
        instructions = READING.format(names=read) if self.load == "instructed" else ""
        titles = {**files.TITLES, self.progress: files.PROGRESS_TITLE}
        return Setup(instructions, {name: titles[name] for name in self.names})

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        self._keep(history, ctx, seam=True)
        texts = self._texts(ctx)
        self._before = files.as_card(texts, self.wording)
        hidden = tokens.count(self._shown(ctx)) if self.load == "injected" else 0
        made = await begun_anew(self.base, history, ctx, hidden=hidden)
        artefacts = {**made.artefacts, "stored": "\n".join(texts.values())}
        return Compaction(made.view, artefacts, notes=made.notes)

    async def recover(
        self, view: Sequence[Message], turns: Sequence[Turn], ctx: Context
    ) -> Recovery | None:
        if not self.recite:
            return None
        if not carried_parts(view, "recovery"):
            return Recovery([_carried("recovery", RECITING)], turns=1)
        texts = self._texts(ctx)
        missed = files.recited(turns[-1].say, texts, texts[self.progress]) if turns else []
        if not missed:
            return None
        ctx.notes.append(f"recite_missed:{len(missed)}")
        return Recovery([_carried("tattoo", self._shown(ctx))], turns=0)

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        self._seen = list(view)
        blocks = []
        begun = self.when == "start" or "- [x]" in self._texts(ctx)[self.progress]
        if self.load == "injected" and begun:
            blocks.append(carried("tattoo", self._shown(ctx)))
        if self.remind and self._calls >= self.remind:
            blocks.append(carried("reminder", REMINDING.format(name=self.progress)))
        if not blocks:
            return view
        head = system_of(view)
        prompt = head[-1] if head else {"role": "system", "content": ""}
        shown = {**prompt, "content": "\n\n".join([content_text(prompt), *blocks])}
        return [*head[:-1], shown, *view[len(head) :]]

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        before = self._texts(ctx)[self.progress]
        self._keep([*self._seen, *_messages_of(turn)], ctx)
        changed = self._texts(ctx)[self.progress] != before or self.progress in turn.files
        self._calls = 0 if changed else self._calls + len(turn.calls)

    def _keep(self, history: Sequence[Message], ctx: Context, seam: bool = False) -> None:
        """Bring the files up to date with a history since the last seam."""
        texts = self._texts(ctx)
        if self.stale and texts[files.RULES] != files.TITLES[files.RULES]:
            return
        head = system_of(history)
        known = [_carried("card", self._before)] if self._before else []
        state = extract([*head, *known, *history[len(head) :]])
        rules, in_full = files.rules_text(state.constraints, self.wording, self.order), ""
        if self.long_rules == "reference":
            rules, in_full = files.referring(rules)
        new = {
            files.RULES: rules,
            self.progress: files.progress_text(state, files.goal_of(texts[self.progress], history)),
            files.CONTEXT: files.context_text(state),
        }
        if in_full or texts[files.IN_FULL]:
            new[files.IN_FULL] = in_full
        if seam and self.hook:
            new[files.DECISIONS] = files.decisions_text(state)
        for path, text in new.items():
            if text != texts[path]:
                ctx.write(path, text)

    def _texts(self, ctx: Context) -> dict[str, str]:
        """Every file's text, "" where it is not there yet."""
        return {n: ctx.workspace.text(n) or "" for n in (*self.names, files.IN_FULL)}

    def _shown(self, ctx: Context) -> str:
        """The files as one text within the limit; the rules come first, so they stay longest."""
        texts = self._texts(ctx)
        whole = "\n".join(texts[name].strip() for name in self.names if texts[name].strip())
        limit = ctx.budget.card if self.limit is None else self.limit
        if ctx.budget.total is not None:
            limit = min(limit, ctx.budget.total)
        text = tokens.cut(whole, limit)
        if text != whole and "tattoo_cut" not in ctx.notes:
            ctx.notes.append("tattoo_cut")
        return text


def _carried(kind: str, text: str) -> Message:
    return {"role": "user", "content": carried(kind, text)}


def _messages_of(turn: Turn) -> list[Message]:
    """A turn as messages again; calls that were not carried out are left out."""
    calls, results = [], []
    for number, done in enumerate(turn.calls):
        if done.malformed:
            continue
        function = {"name": done.tool, "arguments": json.dumps(done.args, ensure_ascii=False)}
        calls.append({"id": f"kept_{number}", "type": "function", "function": function})
        results.append({"role": "tool", "tool_call_id": f"kept_{number}", "content": done.result})
    return [{"role": "assistant", "content": turn.say, "tool_calls": calls}, *results]
