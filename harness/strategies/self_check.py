"""self_check: one turn in which the agent says where it stands, before the work goes on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from harness import tokens
from harness.extract import extract
from harness.extract.paths import paths_in
from harness.extract.speech import tokens as words
from harness.strategies.base import AddOn, Context, Strategy
from harness.strategies.card import FIELDS, render_card
from harness.strategies.steps import FRAME_TOKENS, require_choice
from harness.text import carried, content_text, is_chinese
from harness.transcript import Turn
from harness.types import Compaction, Message, Recovery, State

# In English for all conversations, as the request for a summary is.
QUESTION = (
    "Before you go on, answer in the language of the conversation, without calling a tool.\n"
    "State in at most six sentences the task, its files, what is open, and the next step."
)
RESTORE = {
    "en": "Your answer leaves out much of what is open. This is the state of the work:",
    "zh": "你的回答遗漏了不少未完成的内容。工作的实际状态如下：",
}

# Below half, more of the open work is missing from the answer than is in it; an answer in a few
# sentences need not name everything.
THRESHOLD = 0.5


class SelfCheck(AddOn):
    """Before the work goes on the agent is asked once: which task, which files, what next.

    mode: "ask_only" asks and no more; "ask_and_restore" shows the state card where the answer does
    not match the state extracted from the history at the seam. Match, by words alone: of the open
    steps and the files still to be changed, the share that the answer names is at least half. A
    file is named by its path or its file name; a step by a file of its text, or by at least half
    of its content words. Nothing open: nothing to miss. Not asked where a matched total is smaller
    than the question.
    """

    name = "self_check"
    source = "study"
    keeps = "one question in the recovery phase; ask_and_restore: a state card on a mismatch"

    def __init__(self, inner: Strategy, mode: str = "ask_only") -> None:
        super().__init__(inner)
        known = ("ask_only", "ask_and_restore")
        self.mode = require_choice("mode", mode, known, "self_check")
        self.fixed_tokens += FRAME_TOKENS if mode == "ask_only" else 3 * FRAME_TOKENS
        self._state = State()
        self._question = self._card = ""
        self._asked: int | None = None

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        said = "\n".join(content_text(m) for m in history if m["role"] == "user")
        language = "zh" if is_chinese(said) else "en"
        self._state = extract(list(history))
        self._question, self._card, self._asked = QUESTION, "", None
        room = ctx.budget.total
        size = tokens.count(self._question)
        if room is not None and room < size:
            ctx.notes.append("self_check:no_room")
            self._question = ""
        elif self.mode == "ask_and_restore":
            self._card = self._restored(language, ctx, None if room is None else room - size)
        ctx.reserve(tokens.count(self._question) + tokens.count(self._card))
        return await self.inner.compact(history, ctx)

    def _restored(self, language: str, ctx: Context, room: int | None) -> str:
        """What a mismatch is answered with: in a matched total half of it, as beside a summary."""
        limit = ctx.budget.card
        if room is not None:
            limit = min(limit, max(0, room // 2 - tokens.count(RESTORE[language])))
        card, _ = render_card(self._state, FIELDS, limit)
        card = tokens.cut(card, limit)  # rules alone may be over it
        return f"{RESTORE[language]}\n{card}" if card else ""

    async def recover(
        self, view: Sequence[Message], turns: Sequence[Turn], ctx: Context
    ) -> Recovery | None:
        if self._asked is not None:
            return self._judge(turns, ctx)
        step = await self.inner.recover(view, turns, ctx)
        if step is not None or not self._question:
            return step
        self._asked = len(turns)
        return Recovery([_message("self_check", self._question)], turns=1)

    def _judge(self, turns: Sequence[Turn], ctx: Context) -> Recovery | None:
        """Compare the answer, and show the card where it is told to."""
        wanted = named = 0
        if self._asked < len(turns):
            wanted, named = compare(self._state, turns[self._asked].say)
        ctx.notes.append(f"self_check:{named}/{wanted}")
        if not self._card or not wanted or named / wanted >= THRESHOLD:
            return None
        ctx.notes.append("self_check:restored")
        card, self._card = self._card, ""
        return Recovery([_message("card", card)], turns=0)


def _message(kind: str, text: str) -> Message:
    return {"role": "user", "content": carried(kind, text)}


def compare(state: State, answer: str) -> tuple[int, int]:
    """Numbers of open steps and files still to be changed: all, and those the answer names."""
    files = [file.path for file in state.files if file.role == "to_change"]
    said = words(answer)
    named = sum(_names_file(answer, path) for path in files)
    for step in state.open:
        about = words(step)
        in_words = bool(about) and 2 * len(about & said) >= len(about)
        named += in_words or any(_names_file(answer, path) for path in paths_in(step))
    return len(files) + len(state.open), named


def _names_file(answer: str, path: str) -> bool:
    return path in answer or PurePosixPath(path).name in answer
