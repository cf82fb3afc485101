"""configs/model/FAULTS.md, row by row: each fault played to a real trial after its seam."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from fixtures import write_fixture
from runs import run_here
from servers import (
    GOOD,
    Clock,
    Server,
    answer,
    completion,
    drip,
    invalid_utf8,
    refuse,
    reset,
    silence,
)

from harness.build import chosen_tasks, environment
from harness.cell import Cell
from harness.config import load_config
from harness.fork import Fork
from harness.model import Model
from harness.prefix import Frozen, load_prefix, stored_prefixes
from harness.runner import plan_cells
from harness.settings import Config
from harness.store import RunFolder

TABLE = Path(__file__).resolve().parent.parent / "configs" / "model" / "FAULTS.md"
QUICK = 1.0  # seconds of patience with those who say nothing
Step = Callable[[web.Request], Awaitable[web.StreamResponse]]


def calls(*given: tuple[str, str]) -> Step:
    """A reply with tool calls: name and arguments as text."""
    made = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(given)
    ]
    return answer(200, completion({"role": "assistant", "content": None, "tool_calls": made}))


def ended(reason: str, text: str | None = "So far") -> Step:
    body = completion({"role": "assistant", "content": text})
    body["choices"][0]["finish_reason"] = reason
    return answer(200, body)


HTML = {"Content_Type": "text/html"}
OVERFLOW = "This model's maximum context length is 8192 tokens."
REFUSAL = completion({"role": "assistant", "content": None, "refusal": "I will not."})
FILTERED = refuse(400, "The response was filtered", "content_filter")
FAULTS: dict[str, Step] = {
    "401": refuse(401, "bad key"),
    "402": refuse(402, "no credit"),
    "402 with Retry-After": refuse(402, "too much in flight", Retry_After="7"),
    "403": refuse(403, "no access"),
    "404, no such model": refuse(404, "no such model", "model_not_found"),
    "404, not an API at all": answer(404, "<html>nothing</html>", **HTML),
    "400": refuse(400, "unknown field"),
    "408": refuse(408, "too slow"),
    "409": refuse(409, "conflict"),
    "413": refuse(413, "body too large"),
    "422": answer(422, {"detail": "unprocessable"}),
    "429 with Retry-After": refuse(429, "slow down", Retry_After="7"),
    "429 without Retry-After": refuse(429, "slow down"),
    "429 with Retry-After of an hour": refuse(429, "slow down", Retry_After="3600"),
    "429, no money left": refuse(429, "pay first", "insufficient_quota"),
    "500": answer(500, "boom", Content_Type="text/plain"),
    "502": answer(502, "", **HTML),
    "503 for longer": refuse(503, "loading model"),
    "reset in the middle of the reply": reset,
    "silence for 30 s": silence,
    "a byte now and then, no end": drip,
    "half a JSON": answer(200, '{"id": "c", "choi'),
    "empty body": answer(200, ""),
    "wrong content type": answer(200, "<html>hi</html>", **HTML),
    "broken compression": answer(200, "no gzip", Content_Encoding="gzip"),
    "invalid UTF-8": invalid_utf8,
    "JSON nested 100,000 deep": answer(200, "[" * 100_000),
    "a list, not an object": answer(200, []),
    "no choices": answer(200, {**GOOD, "choices": None}),
    "no message": answer(200, {"choices": [{"index": 0}]}),
    "status 200 with an error of 502": answer(200, {"error": {"code": 502, "message": "down"}}),
    "status 200 with an error of 401": answer(200, {"error": {"code": 401, "message": "who?"}}),
    "an answer that ends with an error": ended("error"),
    "the messages do not fit": refuse(400, OVERFLOW, "context_length_exceeded"),
    "413 that says they do not fit": refuse(413, "prompt is too long: 9 tokens > 4 maximum"),
    "content filter, the request": FILTERED,
    "content filter, the reply": ended("content_filter"),
    "refusal": answer(200, REFUSAL),
    "empty reply": ended("stop", None),
    "cut by the output limit": ended("length"),
    "tool call with invalid JSON": calls(("run", '{"command": "ls')),
    "tool call to an unknown tool": calls(("launch", "{}")),
    "tool call with wrong types": calls(("read_file", '{"path": 3}'), ("run", "[]")),
    "a thousand tool calls in one reply": calls(*[("launch", "{}")] * 1000),
}
OTHERWISE = ("503 for a minute", "connection refused", "reply of 5 MB")
"""Rows that are not one step again and again."""


def rows() -> dict[str, list[str]]:
    """The table: fault -> kind, tries, trial, what its record says."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    return {cell[0]: cell[1:] for cell in cells[2:]}


def test_the_table_and_the_faults_are_the_same() -> None:
    assert list(rows()) == [name for name in rows() if name in FAULTS or name in OTHERWISE]
    assert set(rows()) == {*FAULTS, *OTHERWISE}


@dataclass
class Seam:
    """A real prefix, from which every row goes on."""

    config: Config
    run: RunFolder
    cell: Cell
    frozen: Frozen


@pytest.fixture(scope="module")
def seam(tmp_path_factory: pytest.TempPathFactory) -> Seam:
    place = tmp_path_factory.mktemp("seam")
    write_fixture(place / "tasks")
    given = [
        *(f"tasks.path=[{place / 'tasks'}]", "family=rename", "strategy=recent_n", "seam=mid"),
        *("study.controls=[full]", "study.beside=[]", f"run.results={place}", "run.name=r"),
    ]
    run, _ = asyncio.run(run_here(*given))
    config, _ = load_config(given)
    (cell,) = plan_cells(config, chosen_tasks(config, lambda told: None))
    return Seam(config, run, cell, load_prefix(stored_prefixes(run)[cell.key]))


class Played:
    """The record of a trial whose endpoint plays a fault, and what was asked of it."""

    def __init__(self, seam: Seam, server: Server, scratch: Path) -> None:
        self.seam, self.server, self.scratch = seam, server, scratch
        self.clock = Clock()
        self.upstream = ""

    async def pass_on(self, request: web.Request) -> web.StreamResponse:
        """A step: the reference worker answers."""
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.upstream}/chat/completions", data=await request.read()) as got,
        ):
            return web.Response(body=await got.read(), content_type="application/json")

    async def trial(self, *script: Step, **spec: Any) -> dict[str, Any]:
        """The record of a trial for which the server plays the script, the last step for ever."""
        config = self.seam.config
        async with environment(config, [self.seam.cell.loaded], self.seam.run, _silent) as env:
            self.upstream = env.model.spec.base_url
            self.server.script = list(script)
            address = spec.pop("base_url", self.server.base_url)
            settings = {"retries": 4, "base_url": address, **spec}
            model = Model(replace(env.model.spec, **settings), sleep=self.clock.sleep)
            arm = next(arm for arm in self.seam.cell.arms if arm.name == "full")
            fork = Fork(replace(env, model=model), self.seam.cell, arm, self.scratch)
            (record,) = await fork.run(self.seam.frozen)
            await model.close()
            return dict(record)


def _silent(kind: str, text: str) -> None:
    """Events are not looked at here."""


def agrees(record: dict[str, Any], row: list[str]) -> None:
    """Compare a record with what its row promises."""
    _, _, trial, says = row
    told = json.dumps(record)[:2000]
    assert record["status"] == trial, told
    if trial == "error":
        assert record["reason"] == says, told
        assert record["attempts"][-1]["text"].count("\n") == 0
    elif says == "malformed_calls":
        assert record["malformed_calls"] > 0, told
    elif says.startswith("stop_"):
        assert [n for n in record["notes"] if n.startswith(f"{says}:")], told
    else:
        assert (record["reason"] or "") == says, told


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_that_lasts(name: str, seam: Seam, server: Server, tmp_path: Path) -> None:
    kind, tries, trial, says = rows()[name]
    played = Played(seam, server, tmp_path)
    mute = FAULTS[name] in (silence, drip)
    record = await played.trial(FAULTS[name], timeout_s=QUICK if mute else 30.0)
    agrees(record, rows()[name])
    assert len(played.clock.waits) == int(tries) - 1
    if trial == "error":
        assert says == f"model:{kind}" and len(server.bodies) == int(tries)


async def test_503_for_a_minute(seam: Seam, server: Server, tmp_path: Path) -> None:
    played = Played(seam, server, tmp_path)
    loading, good = refuse(503, "loading model"), answer(200, GOOD)

    async def for_a_minute(request: web.Request) -> web.StreamResponse:
        return await (loading if sum(played.clock.waits) < 60 else good)(request)

    row = rows()["503 for a minute"]
    agrees(await played.trial(for_a_minute), row)
    assert len(played.clock.waits) == int(row[1]) - 1


async def test_connection_refused(
    seam: Seam, server: Server, tmp_path: Path, unused_tcp_port: int
) -> None:
    played = Played(seam, server, tmp_path)
    row = rows()["connection refused"]
    agrees(await played.trial(base_url=f"http://127.0.0.1:{unused_tcp_port}/v1"), row)
    assert len(played.clock.waits) == int(row[1]) - 1


@pytest.mark.slow
async def test_a_reply_of_5_mb(seam: Seam, server: Server, tmp_path: Path) -> None:
    played = Played(seam, server, tmp_path)
    arguments = json.dumps({"path": "pkg/big.py", "content": "x = 1  # 大\n" * 400_000})
    assert len(arguments) > 5 * 2**20
    big, finish = calls(("write_file", arguments)), calls(("finish", '{"message": "done"}'))
    agrees(await played.trial(big, finish), rows()["reply of 5 MB"])
    assert played.clock.waits == []


async def test_faults_that_pass_leave_no_trace(seam: Seam, server: Server, tmp_path: Path) -> None:
    """One fault before each turn of a trial, one of every kind that is tried again."""
    played = Played(seam, server, tmp_path)
    passing = [
        *(FAULTS["408"], FAULTS["429 with Retry-After"], FAULTS["502"], reset),
        *(FAULTS["half a JSON"], FAULTS["invalid UTF-8"]),
    ]
    undisturbed = await played.trial(played.pass_on)
    came = 0

    async def now_and_then(request: web.Request) -> web.StreamResponse:
        nonlocal came
        came += 1
        step = passing.pop() if passing and came % 2 else played.pass_on
        return await step(request)

    disturbed = await played.trial(now_and_then)
    assert not passing and len(played.clock.waits) == 6
    aside = ("seconds", "started_at")
    mine, theirs = (
        {k: v for k, v in record.items() if k not in aside} for record in (disturbed, undisturbed)
    )
    assert mine == theirs
