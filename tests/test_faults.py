"""A whole run over an endpoint that fails: nothing is lost, and only what was malformed differs."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from runs import RECORDS_ONLY, ROOT, environ

from harness.build import worker_backend
from harness.gateway import Gateway
from harness.tasks import load_task
from harness.text import digest

TASKS = ("rename/tally_ledger", "feature/calc_units")
TRIALS = 8  # two tasks, two strategies, two bands
SHARE = 5  # per cent of requests, for each kind of fault
SEED = 1
SOON = {"Retry-After": "0.05"}
TIMES = ("seconds", "started_at")

pytestmark = pytest.mark.slow


class FaultyProxy:
    """Passes requests on to a gateway and spoils some, each kind a share of them.

    Whether a call is malformed follows from the request alone; the faults that are retried follow
    from the request and how often it came. So what a run finds does not depend on its order.
    """

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.came: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.session = aiohttp.ClientSession()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        key = digest(body)
        self.came[key] += 1
        fault = self.drawn([key, self.came[key]], ("429", "500", "cut"))
        if fault in ("429", "500"):
            self.faults[fault] += 1
            error = {"error": {"message": f"injected {fault}"}}
            return web.json_response(error, status=int(fault), headers=SOON)
        async with self.session.post(f"{self.upstream}/chat/completions", data=body) as reply:
            assert reply.status == 200, await reply.text()
            data = await reply.read()
        if fault == "cut":
            self.faults["cut"] += 1
            return await self.cut(request, data)
        if self.drawn([key, "calls"], ("malformed",)):
            data = self.malformed(data)
        return web.Response(body=data, content_type="application/json")

    def drawn(self, key: list[Any], kinds: tuple[str, ...]) -> str | None:
        draw = int(digest([SEED, *key])[:8], 16) % 100
        return dict(enumerate(kinds)).get(draw // SHARE)

    def malformed(self, data: bytes) -> bytes:
        answer = json.loads(data)
        for call in answer["choices"][0]["message"].get("tool_calls") or []:
            self.faults["malformed"] += 1
            call["function"]["arguments"] = call["function"]["arguments"][:-2]
        return json.dumps(answer).encode("utf-8")

    async def cut(self, request: web.Request, data: bytes) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(len(data))})
        await response.prepare(request)
        await response.write(data[: len(data) // 2])
        assert request.transport is not None
        request.transport.abort()
        return response


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    """The real gateway in front of the reference worker."""
    tasks = [load_task(ROOT / "tasks" / name) for name in TASKS]
    async with Gateway(worker_backend(tasks)) as gateway:
        yield gateway


@pytest.fixture
async def proxy(gateway: Gateway) -> AsyncIterator[tuple[str, FaultyProxy]]:
    it = FaultyProxy(gateway.base_url)
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", it.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1", it
    await runner.cleanup()
    await it.session.close()


async def run(results: Path, url: str) -> tuple[list[dict[str, Any]], str]:
    """Records of a run over an endpoint, which must be complete, and what it told meanwhile."""
    process = await asyncio.create_subprocess_exec(
        *(*RECORDS_ONLY, "run", f"tasks.only=[{','.join(TASKS)}]"),
        *("study.controls=[]", "seam.repeats=2", f"run.results={results}", "run.name=r"),
        *("model=endpoint", f"model.base_url={url}", "model.name='worker:{handle}'"),
        *("model.temperature=null", "model.retries=8"),
        cwd=ROOT,
        env=environ(),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await process.communicate()
    assert process.returncode == 0, told.decode("utf-8")
    lines = (results / "r" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    rows = [{k: v for k, v in row.items() if k not in TIMES} for row in found]
    return rows, told.decode("utf-8")


def malformed_before(results: Path, row: dict[str, Any]) -> int:
    """Malformed calls in the prefix of a trial."""
    seam = results / "r" / "prefixes" / row["prefix_hash"] / "seam.json"
    return json.loads(seam.read_text(encoding="utf-8"))["malformed"]


async def test_every_trial_is_accounted_for_and_only_malformed_calls_change_any(
    tmp_path: Path, gateway: Gateway, proxy: tuple[str, FaultyProxy]
) -> None:
    url, faulty = proxy
    wanted, _ = await run(tmp_path / "undisturbed", gateway.base_url)
    found, told = await run(tmp_path / "faulty", url)
    assert set(faulty.faults) == {"429", "500", "cut", "malformed"}
    for kind in ("rate_limit", "server", "unreachable"):
        assert f"({kind})" in told
    assert len(found) == len(wanted) == TRIALS
    assert [row["trial_id"] for row in found] == [row["trial_id"] for row in wanted]
    assert not [row for row in found if row["status"] == "error"]
    clean, touched = 0, 0
    for mine, theirs in zip(found, wanted, strict=True):
        if mine["prefix_hash"] is None or malformed_before(tmp_path / "faulty", mine):
            continue
        if mine["malformed_calls"]:
            touched += 1
            assert mine["status"] == "scored" and mine["continued"] is not None
        else:
            clean += 1
            assert mine == theirs
    assert clean and touched, f"another SEED is needed: {clean} clean, {touched} touched"
