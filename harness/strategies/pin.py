"""pin: what the user names is kept word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from harness import tokens
from harness.errors import UserError
from harness.strategies.base import AddOn, Context, Strategy, system_of
from harness.strategies.keep import carried_parts, verbatim_room
from harness.strategies.steps import FRAME_TOKENS
from harness.text import carried, content_text, split_carried, units
from harness.types import Compaction, Message

MARKS = ("remember:", "记住")


class Pin(AddOn):
    """Given texts, and sentences of the user's that bear a mark, verbatim ahead of the view.

    texts: pinned from the first seam on. marks: words, in any case, that make a sentence or list
    item of the user's own messages a pin. Pins stay over later seams, and the strategy within does
    not see them again. A matched total gives them at most half; the oldest stay.
    """

    name = "pin"
    source = "field"
    keeps = "given texts and the user's marked sentences, word for word"
    fixed_tokens = FRAME_TOKENS

    def __init__(
        self, inner: Strategy, texts: Sequence[str] = (), marks: Sequence[str] = MARKS
    ) -> None:
        super().__init__(inner)
        for option, given in (("texts", texts), ("marks", marks)):
            if isinstance(given, str) or not all(isinstance(t, str) and t.strip() for t in given):
                raise UserError(f"pin.{option}: expected a list of texts, found {given!r}")
        self.texts = [line for text in texts for line in text.strip().split("\n")]
        self.marks = [mark.lower() for mark in marks]

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        earlier = [line for part in carried_parts(history, "pinned") for line in part.split("\n")]
        wanted = list(dict.fromkeys([*self.texts, *earlier, *self._marked(history)]))
        room = verbatim_room(ctx.budget)
        pinned = wanted
        while room is not None and pinned and tokens.count("\n".join(pinned)) > room:
            pinned = pinned[:-1]
        text = "\n".join(pinned)
        ctx.reserve(tokens.count(text))
        made = await self.inner.compact([m for m in history if not _is_pins(m)], ctx)
        head = system_of(made.view)
        told = [{"role": "user", "content": carried("pinned", text)}] if text else []
        return replace(
            made,
            view=[*head, *told, *made.view[len(head) :]],
            artefacts={**made.artefacts, "pinned": text},
            notes=(*made.notes, "pins_cut") if len(pinned) < len(wanted) else made.notes,
        )

    def _marked(self, history: Sequence[Message]) -> Iterator[str]:
        """Units of the user's own words that bear a mark and say more than it."""
        for message in history:
            if message["role"] != "user":
                continue
            own = [piece for kind, piece in split_carried(content_text(message)) if kind is None]
            for unit in (unit for piece in own for unit in units(piece)):
                low = unit.lower()
                if any(
                    mark in low and low.strip(" :：") != mark.strip(" :：") for mark in self.marks
                ):
                    yield unit


def _is_pins(message: Message) -> bool:
    kinds = [kind for kind, _ in split_carried(content_text(message))]
    return message["role"] == "user" and kinds == ["pinned"]
