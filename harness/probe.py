"""What works at a model's endpoint: everything that the agent loop uses is tried once, for real."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from harness.errors import ContextOverflow, ModelError
from harness.model import Model
from harness.tools import parse_calls, schemas
from harness.types import Message, Reply

SYSTEM = {"role": "system", "content": "You are a coding agent; you work through tools."}
PLAIN = "The port of this project is 8123. In one sentence: what is known of this project so far?"
READ_ONE = "Call read_file with the path README.md."
READ_THREE = "Read a.txt, b.txt and c.txt: call read_file three times in this one answer."
WINDOWS = ("max_model_len", "context_length", "context_window", "n_ctx", "n_ctx_train")
"""Under what name servers list how much fits: vLLM, OpenRouter, others, llama.cpp (in `meta`)."""

Line = tuple[str, bool | None, str]
"""What was tried, whether it works (None: good to know, not needed), and one line about it."""


@dataclass
class Probe:
    """Tries one model. `works` is true once a tool was called and its result taken."""

    model: Model
    name: str
    works: bool = False
    replies: list[Reply] = field(default_factory=list)

    async def lines(self) -> AsyncIterator[Line]:
        """What was found, as it is found; ends early where nothing answers."""
        try:
            began = time.perf_counter()
            reply = await self._ask(self.model, [SYSTEM, _user(PLAIN)])
            seconds = time.perf_counter() - began
            said = " ".join(str(reply.message["content"]).split())[:60] or "nothing"
            yield "answer", True, f"{reply.model or self.name} in {seconds:.1f} s: {said}"
        except (ModelError, ContextOverflow) as error:
            yield "answer", False, str(error)
            return
        async with aclosing(self._tools()) as lines:
            async for line in lines:
                yield line
        yield self._usage()
        yield await self._window()

    async def _tools(self) -> AsyncIterator[Line]:
        question = [SYSTEM, _user(READ_ONE)]
        reply, told = await self._called(self.model, question)
        if reply:
            yield "tools", True, told
            yield await self._result(question, reply)
        else:
            yield "tools", False, f"{told}; the agent loop needs it"
        if self.model.spec.tools == "native":
            yield await self._other("forced", reply is not None, tool_choice="required")
            if not reply:
                yield await self._other("named", False, tool_choice="read_file")
                yield await self._other("text", False, tools="text", tool_choice=None)
        several, told = await self._called(self.model, [SYSTEM, _user(READ_THREE)])
        count = len(parse_calls(several.message)) if several else 0
        yield "parallel", None, f"{count} calls in one answer" if count else told

    async def _other(self, what: str, works: bool, **settings: Any) -> Line:
        """The same question with other settings, and what to set where only they work."""
        model = Model(replace(self.model.spec, **settings))
        try:
            reply, told = await self._called(model, [SYSTEM, _user(READ_ONE)])
        finally:
            await model.close()
        shown = " ".join(f"model.{key}={value}" for key, value in settings.items() if value)
        if reply and not works:
            return what, None, f"{told}; set {shown}"
        return what, None, f"with {shown}: {told}"

    async def _called(self, model: Model, messages: list[Message]) -> tuple[Reply | None, str]:
        """The reply if it holds a call that can be carried out, and what came."""
        try:
            reply = await self._ask(model, messages, schemas())
        except (ModelError, ContextOverflow) as error:
            return None, str(error)
        calls = parse_calls(reply.message)
        wrong = next((call.error for call in calls if call.error), None)
        if wrong:
            return None, f"a call that cannot be read: {wrong}"
        if not calls:
            said = " ".join(str(reply.message["content"]).split())[:60]
            return None, f"no call but {said!r} ({reply.finish_reason})"
        return reply, f"called {', '.join(call.name for call in calls)}"

    async def _result(self, question: list[Message], reply: Reply) -> Line:
        results = [
            {"role": "tool", "tool_call_id": call.id, "content": "# A small project"}
            for call in parse_calls(reply.message)
        ]
        try:
            await self._ask(self.model, [*question, reply.message, *results], schemas())
        except (ModelError, ContextOverflow) as error:
            return "result", False, str(error)
        self.works = True
        return "result", True, "went on from the result of a call"

    def _usage(self) -> Line:
        used = self.replies[-1].usage
        if used.input is None or used.output is None:
            return "usage", None, "not reported: tokens and cost of a run stay unknown"
        cached, hidden = ("unknown" if n is None else str(n) for n in (used.cached, used.reasoning))
        told = f"{used.input} in (cached: {cached}), {used.output} out (reasoning: {hidden})"
        return "usage", None, told

    async def _window(self) -> Line:
        own = self.model.spec.window
        try:
            listed = await self.model.models()
        except (ModelError, ContextOverflow) as error:
            return "window", None, f"the server lists no models: {error}"
        mine = [entry for entry in listed if entry.get("id") == self.name]
        if listed and not mine:
            names = ", ".join(str(entry.get("id")) for entry in listed[:5])
            return "window", None, f"{self.name} is not among its models: {names}"
        size = next((_size(entry) for entry in mine), None)
        told = f"the server says {size or 'nothing'}, model.window is {own or 'not set'}"
        return "window", None, told

    async def _ask(self, model: Model, messages: list[Message], tools: Any = None) -> Reply:
        reply = await model.complete(messages, tools, model_name=self.name)
        self.replies.append(reply)
        return reply


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _size(entry: dict[str, Any]) -> int | None:
    """How many tokens a listed model says that it takes."""
    inner = entry.get("meta")
    places = [entry, inner if isinstance(inner, dict) else {}]
    found = (place.get(name) for place in places for name in WINDOWS)
    return next((size for size in found if isinstance(size, int)), None)
