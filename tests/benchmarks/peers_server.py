"""The scripted model of `make peers`: an OpenAI-compatible server that notes when it was asked.

Prints its address. POST /<work>/v1/chat/completions answers. GET /noted gives all requests since
the last one: {key, turn, came, went, seen}, in seconds of one clock. came: a request has come in;
went: its answer was handed to the kernel; seen: the last result says what the file says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from aiohttp import web
from peers_work import COMMAND, FILE, TURNS

SAY = "I look at the file that says what this project is about, before I go on with the work."
END = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""How mini-swe-agent is told the end: it has no tool for that."""


class Scripted:
    """The conversation. marker: words of the file, without which a result does not count."""

    def __init__(self, marker: str) -> None:
        self.marker = marker
        self.noted: list[dict[str, Any]] = []

    async def complete(self, request: web.Request) -> web.StreamResponse:
        came = time.perf_counter()
        body = await request.json()
        said = body["messages"]
        turn = 1 + sum(message["role"] == "assistant" for message in said)
        first = next(message for message in said if message["role"] == "user")
        key = re.search(r"Sample ([\w-]+)\.", json.dumps(first["content"]))
        seen = turn == 1 or self.marker in json.dumps(said[-1]["content"])
        data = json.dumps(reply(body, turn, request.match_info["work"])).encode("utf-8")
        response = web.Response(body=data, content_type="application/json")
        await response.prepare(request)
        await response.write_eof()
        went = time.perf_counter()
        self.noted.append(
            {"key": key[1] if key else "", "turn": turn, "came": came, "went": went, "seen": seen}
        )
        return response

    async def told(self, _: web.Request) -> web.Response:
        noted, self.noted = self.noted, []
        return web.json_response(noted)


def reply(body: Mapping[str, Any], turn: int, work: str) -> dict[str, Any]:
    """The same words and the same call for everyone, under the names that its tools have."""
    tools = {tool["function"]["name"]: tool["function"] for tool in body["tools"]}
    name, value = next(
        (name, value) for name, value in _wanted(turn == TURNS, work == "read") if name in tools
    )
    arguments = {next(iter(tools[name]["parameters"]["properties"])): value}
    call = {"name": name, "arguments": json.dumps(arguments)}
    message = {
        "role": "assistant",
        "content": SAY,
        "tool_calls": [{"id": f"call_{turn}", "type": "function", "function": call}],
    }
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 40, "total_tokens": 1040},
    }


def _wanted(last: bool, read: bool) -> list[tuple[str, str]]:
    if last:
        return [("finish", "Done."), ("submit", "Done."), ("bash", END)]
    return [("read_file", FILE)] if read else [("run", COMMAND), ("bash", COMMAND)]


async def serve(marker: str) -> None:
    scripted = Scripted(marker)
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/{work}/v1/chat/completions", scripted.complete)
    app.router.add_get("/noted", scripted.told)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0]
    print(f"http://{host}:{port}", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("marker")
    asyncio.run(serve(parser.parse_args().marker))


if __name__ == "__main__":
    main()
