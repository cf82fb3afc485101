"""What the gateway adds to a request, over a server that answers at once.

`python tests/benchmarks/gateway.py`: one client asks the server directly and through gateways, in
turns, so that a busy machine slows both. Server and gateways are processes of their own. Beside
the time added there is the gateway's own processor time, which other programs do not change.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import aiohttp

from harness.chat import parse_reply
from harness.gateway import Gateway
from harness.gateway.cutting import Settings
from harness.gateway.sessions import Sessions
from harness.gateway.upstream import Upstream
from harness.strategies import make_strategy
from harness.strategies.base import Budget

REQUESTS = 200
WARM = 20
SIZES = (10, 100, 400)
WINDOW = 32_000
GOAL_MS = 5.0
OUTPUT = "one line of a command's output, as long as they usually are\n" * 8


class Instant:
    """Answers at once; a request without tools gets a summary."""

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        message = {"role": "assistant", "content": "Some work was done."}
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "instant",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


async def serve_instant(ready: Connection) -> None:
    async with Gateway(Instant()) as gateway:
        await until_stopped(gateway, ready)


async def until_stopped(gateway: Gateway, ready: Connection) -> None:
    """Tell the address; from then on, whenever asked, the seconds of processor time so far."""

    def tell() -> None:
        ready.recv()
        ready.send(time.process_time())

    asyncio.get_running_loop().add_reader(ready.fileno(), tell)
    ready.send(gateway.base_url)
    await asyncio.Event().wait()


async def serve_front(ready: Connection, url: str, strategy: str | None) -> None:
    async def complete(messages: list[Any], **_: Any) -> Any:
        return parse_reply(await Instant().complete({}), len(messages))

    sessions = None
    with tempfile.TemporaryDirectory() as folder:
        if strategy:
            settings = Settings(
                make=lambda: make_strategy(strategy, {}),
                complete=complete,
                window=WINDOW,
                budget=Budget("study", None, 0.1, 500),
                folder=Path(folder),
            )
            sessions = Sessions(settings)
        async with Gateway(Upstream(url, api="chat"), sessions=sessions) as gateway:
            await until_stopped(gateway, ready)


def process(serve: Callable[..., Any], *arguments: Any) -> tuple[Connection, str]:
    """Start a server, which ends with this process; a line to it, and its address."""
    ours, theirs = multiprocessing.Pipe()
    multiprocessing.Process(target=run, args=(serve, theirs, *arguments), daemon=True).start()
    return ours, ours.recv()


def processor_s(line: Connection) -> float:
    line.send("?")
    return float(line.recv())


def run(serve: Callable[..., Any], *arguments: Any) -> None:
    asyncio.run(serve(*arguments))


def history(turns: int) -> list[dict[str, Any]]:
    """A conversation of so many turns with a call and a result each."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are a coding agent. " * 50},
        {"role": "user", "content": "Rename order to invoice. Never touch src/legacy.py."},
    ]
    for n in range(turns):
        function = {"name": "run", "arguments": json.dumps({"command": f"step {n}"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": f"Step {n}.", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": OUTPUT})
    return messages


def chat(turns: int) -> tuple[str, bytes]:
    tool = {"type": "function", "function": {"name": "run", "parameters": {"type": "object"}}}
    body = {"model": "m", "messages": history(turns), "tools": [tool]}
    return "/chat/completions", json.dumps(body).encode("utf-8")


def responses(turns: int) -> tuple[str, bytes]:
    items: list[dict[str, Any]] = []
    for message in history(turns):
        if message["role"] == "tool":
            call = {"type": "function_call_output", "call_id": message["tool_call_id"]}
            items.append({**call, "output": message["content"]})
        else:
            items.append({"role": message["role"], "content": message["content"]})
        for call in message.get("tool_calls") or []:
            items.append({"type": "function_call", "call_id": call["id"], **call["function"]})
    tool = {"type": "function", "name": "run", "parameters": {"type": "object"}}
    body = {"model": "m", "input": items, "tools": [tool]}
    return "/responses", json.dumps(body).encode("utf-8")


async def ask(session: aiohttp.ClientSession, url: str, body: bytes) -> float:
    """Milliseconds of one request."""
    began = time.perf_counter()
    async with session.post(url, data=body) as response:
        text = await response.read()
        assert response.status == 200, text
    return (time.perf_counter() - began) * 1000


async def added(
    line: Connection, direct: str, front: str, asked: tuple[str, bytes], plain: bytes
) -> tuple[list[float], float]:
    """Milliseconds that a gateway adds, request by request, and its processor time of one.

    asked: path and body for the gateway; plain: the same as a chat, asked directly.
    """
    path, body = asked
    differences: list[float] = []
    async with aiohttp.ClientSession() as session:
        for _ in range(WARM):
            await ask(session, front + path, body)
        before = processor_s(line)
        for _ in range(REQUESTS):
            without = await ask(session, direct + "/chat/completions", plain)
            differences.append(await ask(session, front + path, body) - without)
    return differences, (processor_s(line) - before) / REQUESTS * 1000


def main() -> int:
    """Print the table; exit 1 where up to 100 turns take more processor time than the goal."""
    _, direct = process(serve_instant)
    rows = []
    for strategy in (None, "engram", "long_mem"):
        line, front = process(serve_front, direct, strategy)
        for turns in SIZES:
            for kind in (chat, responses):
                asked, plain = kind(turns), chat(turns)[1]
                times, own = asyncio.run(added(line, direct, front, asked, plain))
                p95 = statistics.quantiles(times, n=20)[-1]
                name = f"{strategy or 'none':10} {asked[0][1:].split('/')[0]:10}"
                size, median = len(asked[1]) / 1024, statistics.median(times)
                rows.append((name, turns, size, median, p95, own))
    print("strategy   route       turns    KiB  median ms   p95 ms  processor ms")
    for name, turns, size, median, p95, own in rows:
        print(f"{name} {turns:6} {size:6.0f} {median:10.2f} {p95:8.2f} {own:13.2f}")
    return int(any(row[-1] > GOAL_MS for row in rows if row[1] <= 100))


if __name__ == "__main__":
    sys.exit(main())
