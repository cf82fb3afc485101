"""Tokens that a server does not report are unknown in records and tables, never zero."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from runs import run_here

from analysis.frames import build
from analysis.tables import tokens
from harness.build import worker_backend
from harness.cell import Caps
from harness.gateway import Gateway
from harness.tasks import load_task
from harness.types import Usage

ROOT = Path(__file__).resolve().parents[1]
TASK = "rename/tally_ledger"
PRICES = "model.prices={input: 2.0, cached: 0.5, output: 8.0}"


@pytest.fixture
async def silent() -> AsyncIterator[str]:
    """Address of the reference worker behind a server that reports no usage after the request."""
    async with Gateway(worker_backend([load_task(ROOT / "tasks" / TASK)])) as gateway:
        session = aiohttp.ClientSession()

        async def pass_on(request: web.Request) -> web.Response:
            body = await request.read()
            async with session.post(f"{gateway.base_url}/chat/completions", data=body) as reply:
                data = await reply.json()
            if json.loads(body).get("tools"):
                del data["usage"]
            else:
                del data["usage"]["prompt_tokens_details"]
            return web.json_response(data)

        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", pass_on)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        await runner.cleanup()
        await session.close()


@pytest.mark.slow
async def test_usage_that_no_server_reported_is_null(tmp_path: Path, silent: str) -> None:
    folder, _ = await run_here(
        *(f"tasks.only=[{TASK}]", f"run.results={tmp_path}", "run.name=r", "study.controls=[]"),
        *("model=endpoint", f"model.base_url={silent}", "model.name='worker:{handle}'", PRICES),
    )
    records = {record["strategy"]: record for record in folder.records()}
    assert {record["status"] for record in records.values()} == {"scored"}
    unknown = {"input": None, "cached": None, "output": None, "reasoning": None}
    for record in records.values():
        assert record["tokens"]["prefix"] == record["tokens"]["window"] == unknown
        assert record["cost_usd"]["window"] == {"list": None, "cached": None}
        # Nothing was asked in these phases: that is known to cost nothing.
        assert record["tokens"]["recovery"] == {**unknown, "input": 0, "cached": 0, "output": 0}
    summed = records["bare"]["tokens"]["compaction"]
    assert summed["input"] > 0 and summed["output"] > 0 and summed["cached"] is None
    paid = records["bare"]["cost_usd"]["compaction"]
    assert paid["list"] > 0 and paid["cached"] is None
    shown = tokens(build([dict(record) for record in records.values()])).to_text()
    row = next(line for line in shown.splitlines() if line.startswith("bare"))
    assert row.split()[1] == "n/a", shown


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    assert Usage(5, None, 2) + Usage(1, 1, 1) == Usage(6, None, 3)
    assert Usage() + Usage(None, None, None) == Usage(None, None, None)


def test_caps_count_what_is_known_and_list_prices_where_the_cached_part_is_not() -> None:
    caps = Caps(usd=1.0, tokens=10)
    used = {"input": 5, "cached": None, "output": None}
    caps.add({"trial_id": "a", "tokens": {"window": used}, "cost_usd": {"window": {"list": 2.0}}})
    assert caps.spent_tokens == 5
    assert caps.reached() == "run.max_usd"
