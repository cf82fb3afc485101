"""Adaptive concurrency: a run learns how many calls at once a server bears."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from aiohttp import web
from servers import GOOD, USER, answer, refuse

from harness.errors import ModelError
from harness.model import Model, ModelSpec
from harness.pace import Pace

CALLS = 60


def bears(most: int, seen: list[int]) -> Any:
    """A step that refuses whatever is more than `most` at once."""
    flying = 0

    async def step(request: web.Request) -> web.Response:
        nonlocal flying
        flying += 1
        seen.append(flying)
        try:
            await asyncio.sleep(0.01)
            full = flying > most
            return await (refuse(429, "slow down") if full else answer(200, GOOD))(request)
        finally:
            flying -= 1

    return step


async def test_a_run_finds_the_pace_that_a_server_bears(server, make):
    seen: list[int] = []
    server.script = [bears(8, seen)]
    model = make(retries=9)
    replies = await asyncio.gather(*(model.complete(USER) for _ in range(CALLS)))
    assert len(replies) == CALLS and max(seen) > 16
    assert model.pace.limit < CALLS / 2 and model.pace.flying == 0
    seen.clear()
    await asyncio.gather(*(model.complete(USER) for _ in range(CALLS)))
    assert max(seen) <= 16  # half of what was in the air, not all of it again


async def test_those_that_know_nothing_of_each_other_share_what_a_server_bears(server):
    async def shorter(seconds: float) -> None:
        await asyncio.sleep(seconds / 200)

    seen: list[int] = []
    server.script = [bears(8, seen)]
    spec = ModelSpec("m", server.base_url)
    models = [Model(spec, sleep=shorter) for _ in range(4)]  # as the processes of a run have them

    async def round_of(count: int) -> None:
        asked = [model.complete(USER) for _ in range(count) for model in models]
        assert len(await asyncio.gather(*asked)) == count * len(models)

    await round_of(CALLS // 2)
    seen.clear()
    await round_of(CALLS // 2)
    assert sum(flying > 16 for flying in seen) < len(seen) / 10
    limits = [model.pace.limit for model in models]
    assert max(limits) <= 16 and all(model.pace.flying == 0 for model in models)
    for model in models:
        await model.close()


async def test_without_a_refusal_nothing_is_held_back(server, make):
    seen: list[int] = []
    server.script = [bears(CALLS, seen)]
    model = make()
    await asyncio.gather(*(model.complete(USER) for _ in range(CALLS)))
    assert model.pace.limit == math.inf and max(seen) > 30


async def test_no_money_left_is_no_reason_to_slow_down(server, make):
    server.script = [refuse(429, "pay first", "insufficient_quota")]
    model = make()
    with pytest.raises(ModelError):
        await model.complete(USER)
    assert model.pace.limit == math.inf


async def test_refusals_of_one_round_halve_once_and_rounds_that_go_well_add_one():
    pace = Pace()
    entered = [await pace.enter() for _ in range(16)]
    for given in entered:
        pace.refused(given)
    assert pace.limit == 8
    for _ in range(16):
        pace.leave()
    for _ in range(8):
        pace.went_well()
    assert 8.9 < pace.limit < 9


async def test_a_call_that_is_given_up_while_it_waits_leaves_no_gap():
    pace = Pace()
    pace.refused(await pace.enter())
    assert pace.limit == 1
    waiting = [asyncio.create_task(pace.enter()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    pace.leave()
    await asyncio.wait_for(waiting[1], 5)
    assert not waiting[2].done() and pace.flying == 1
    pace.leave()
    await asyncio.wait_for(waiting[2], 5)
