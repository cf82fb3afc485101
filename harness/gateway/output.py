"""The output items of a response while they are made, each with the events that tell of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.gateway.items import Item, free_text

Event = dict[str, Any]


class Open:
    """An output item on its way."""

    closed = False

    def __init__(self, name: str, at: int) -> None:
        self.name = name
        self.at = at
        self.said: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self.said)

    def begin(self) -> Iterator[Event]:
        yield {"type": "response.output_item.added", "output_index": self.at, "item": self.empty()}

    def end(self) -> Iterator[Event]:
        yield {"type": "response.output_item.done", "output_index": self.at, "item": self.done()}

    def empty(self) -> Item:
        raise NotImplementedError

    def done(self) -> Item:
        raise NotImplementedError

    def event(self, kind: str, **more: Any) -> Event:
        """An event about this item."""
        return {
            "type": f"response.{kind}",
            "item_id": self.name,
            "output_index": self.at,
            **more,
        }


class Text(Open):
    """A message of one text part; subclasses are parts of another kind."""

    prefix = "msg"
    part = "output_text"
    key = "text"
    events = "output_text"

    def part_of(self, text: str) -> Item:
        return {"type": self.part, self.key: text, "annotations": [], "logprobs": []}

    def item(self, parts: list[Item], status: str) -> Item:
        return {
            "type": "message",
            "id": self.name,
            "status": status,
            "role": "assistant",
            "content": parts,
        }

    def empty(self) -> Item:
        return self.item([], "in_progress")

    def done(self) -> Item:
        return self.item([self.part_of(self.text)], "completed")

    def begin(self) -> Iterator[Event]:
        yield from super().begin()
        yield self.event("content_part.added", content_index=0, part=self.part_of(""))

    def more(self, text: str) -> Iterator[Event]:
        self.said.append(text)
        extra = {"logprobs": []} if self.part == "output_text" else {}
        yield self.event(f"{self.events}.delta", content_index=0, delta=text, **extra)

    def end(self) -> Iterator[Event]:
        told = {self.key: self.text}
        yield self.event(f"{self.events}.done", content_index=0, **told)
        yield self.event("content_part.done", content_index=0, part=self.part_of(self.text))
        yield from super().end()


class Refusal(Text):
    part = key = events = "refusal"

    def part_of(self, text: str) -> Item:
        return {"type": "refusal", "refusal": text}


class Reasoning(Text):
    prefix = "rs"
    part = events = "reasoning_text"

    def part_of(self, text: str) -> Item:
        return {"type": "reasoning_text", "text": text}

    def item(self, parts: list[Item], status: str) -> Item:
        return {"type": "reasoning", "id": self.name, "summary": [], "content": parts}


class Call(Open):
    """A call of a function or of a custom tool; the latter's text is known at its end."""

    def __init__(self, item: Item, name: Any, at: int) -> None:
        self.custom = item["type"] == "custom_tool_call"
        super().__init__(name("ctc" if self.custom else "fc"), at)
        self.head = item

    def more(self, text: str) -> Iterator[Event]:
        self.said.append(text)
        if text and not self.custom:
            yield self.event("function_call_arguments.delta", delta=text)

    def empty(self) -> Item:
        return {**self.head, "id": self.name, "status": "in_progress"}

    def done(self) -> Item:
        key = "input" if self.custom else "arguments"
        return {**self.empty(), key: self.told, "status": "completed"}

    @property
    def told(self) -> str:
        return free_text(self.text) if self.custom else self.text

    def end(self) -> Iterator[Event]:
        if self.custom:
            yield self.event("custom_tool_call_input.delta", delta=self.told)
            yield self.event("custom_tool_call_input.done", input=self.told)
        else:
            name = self.head["name"]
            yield self.event("function_call_arguments.done", name=name, arguments=self.told)
        yield from super().end()
