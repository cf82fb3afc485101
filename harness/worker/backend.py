"""Serves the reference worker and the extractive summariser as models of the gateway.

A request without tools asks for text, which here can only mean a summary of what stands before
its last message; real models, too, are asked for both under one name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from harness import tokens
from harness.gateway.server import GatewayError
from harness.task_model import Task
from harness.text import digest
from harness.worker.codex_tools import from_codex, speaks_codex, to_codex
from harness.worker.policy import Parameters, Worker
from harness.worker.summariser import summarise

FINGERPRINT = "simulated:seambench-worker-1"
DEFAULT_SUMMARY_TOKENS = 1000


def handle(task_hash: str, seed: int, *, detours: bool) -> str:
    """The opaque name under which the worker has a task's skill; detours only in a prefix."""
    return f"{digest(['handle', task_hash])[:16]}-{seed}-{'p' if detours else 'f'}"


class WorkerBackend:
    """Backend of the gateway: models `worker:{handle}`. Keeps no conversation.

    tasks: task hash -> task, the skills that handles can name. files: task hash -> codebase, of
    which only Codex's patches need to know whole lines.
    """

    def __init__(
        self,
        tasks: Mapping[str, Task],
        habits: Parameters | None = None,
        files: Mapping[str, Mapping[str, bytes]] = MappingProxyType({}),
    ) -> None:
        self.tasks = {digest(["handle", key])[:16]: task for key, task in tasks.items()}
        self.files = {tasks[key].id: codebase for key, codebase in files.items()}
        self.habits = habits or Parameters()
        self._worker = lru_cache(maxsize=256)(self._new_worker)

    async def models(self) -> list[str]:
        """Names for GET /v1/models."""
        return [f"worker:{name}-0-f" for name in self.tasks]

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """A chat completion for a request body. Raises GatewayError 404 for an unknown model."""
        model = str(request.get("model"))
        messages = request["messages"]
        worker = self._worker(model)
        offered = [tool["function"]["name"] for tool in request.get("tools") or []]
        codex = speaks_codex(messages, offered)
        known = from_codex(messages, worker) if codex else messages
        if not offered:
            budget = request.get("max_tokens") or request.get("max_completion_tokens")
            text = summarise(known[:-1], int(budget or DEFAULT_SUMMARY_TOKENS))
            message: dict[str, Any] = {"role": "assistant", "content": text}
        else:
            decision = worker.decide(known, offered)
            if codex:
                decision = to_codex(decision, known, worker.task, self.files.get(worker.task.id))
            message = {"role": "assistant", "content": decision.say or None}
            key = digest(messages)
            message["tool_calls"] = [
                _tool_call(call.tool, call.args, key, number)
                for number, call in enumerate(decision.calls)
            ]
        return _completion(model, messages, message)

    def _new_worker(self, model: str) -> Worker:
        name = model.removeprefix("worker:")
        task_key, _, rest = name.partition("-")
        seed, _, phase = rest.partition("-")
        task = self.tasks.get(task_key)
        if task is None or not seed.isdigit() or phase not in ("p", "f"):
            raise GatewayError(404, "model_not_found", f"no model {model!r} here")
        return Worker(task, int(seed), detours=phase == "p", habits=self.habits)


def _tool_call(name: str, args: dict[str, Any], key: str, number: int) -> dict[str, Any]:
    return {
        "id": f"call_{digest([key, number])[:16]}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(args, ensure_ascii=False)},
    }


def _completion(model: str, messages: list[Any], message: dict[str, Any]) -> dict[str, Any]:
    prompt, output = tokens.count_view(messages), tokens.count_message(message)
    calls = bool(message.get("tool_calls"))
    return {
        "id": f"chatcmpl-{digest([model, messages])[:24]}",
        "object": "chat.completion",
        "created": 0,
        "model": model.partition(":")[0],
        "system_fingerprint": FINGERPRINT,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "tool_calls" if calls else "stop",
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "total_tokens": prompt + output,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }
