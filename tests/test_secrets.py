"""Keys are planted wherever one can come from; nothing written or printed may hold them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from fixtures import write_fixture
from servers import USER, answer, completion

from harness.build import worker_backend
from harness.cli import main
from harness.config import load_config
from harness.errors import UserError
from harness.gateway import Gateway
from harness.model import Model, ModelSpec
from harness.tasks import load_task

KEY = "sk-planted-key-0123456789"
HEADER = "planted-header-9876543210"
PASSWORD = "planted-password-55555"
SECRETS = (KEY, HEADER, PASSWORD)


class Blabber:
    """Passes requests on to the worker, and says in every place whatever keys it was sent."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.base_url = ""
        self.came = 0

    async def handle(self, request: web.Request) -> web.Response:
        self.came += 1
        keys = f"{request.headers['Authorization']} and {request.headers['X-Auth']}"
        assert KEY in keys and HEADER in keys
        body = await request.json()
        if self.came % 4 == 1:
            error = {"error": {"message": f"not now, {keys}", "code": keys}}
            return web.json_response(error, status=500, headers={"Retry-After": "0.02"})
        if not body.get("tools"):  # a summary: these arms end as errors
            return web.json_response({"error": {"message": f"go away, {keys}"}}, status=403)
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.upstream}/chat/completions", json=body) as got,
        ):
            data = await got.json()
        message = data["choices"][0]["message"]
        message["reasoning_content"] = f"Hm, {keys}."
        if body["model"].endswith("-p"):  # before the seam the worker must stay the worker
            return web.json_response({**data, "model": f"m of {KEY}"})
        message["content"] = f"{message['content'] or ''} I was sent {keys}."
        call = {"name": "run", "arguments": json.dumps({"command": f"echo '{keys}'"})}
        if message.get("tool_calls"):
            message["tool_calls"].append({"id": KEY, "type": "function", "function": call})
        return web.json_response({**data, "model": f"m of {KEY}"})


@pytest.fixture
async def blabber(tmp_path: Path) -> AsyncIterator[Blabber]:
    write_fixture(tmp_path / "tasks")
    tasks = [load_task(tmp_path / "tasks" / "rename" / "tiny")]
    async with Gateway(worker_backend(tasks)) as gateway:
        it = Blabber(gateway.base_url)
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", it.handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        it.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        yield it
        await runner.cleanup()


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_KEY", KEY)
    monkeypatch.setenv("BENCH_AUTH", HEADER)


def model(address: str) -> list[str]:
    return [
        *("model=endpoint", f"model.base_url={address}", "model.name='worker:{handle}'"),
        *("model.key_env=BENCH_KEY", "model.headers_env={X-Auth: BENCH_AUTH}"),
    ]


def holders(place: Path) -> list[str]:
    """Files below a folder that hold a planted secret."""
    files = [path for path in place.rglob("*") if path.is_file()]
    assert files
    return [
        str(path) for path in files if any(s.encode("ascii") in path.read_bytes() for s in SECRETS)
    ]


@pytest.mark.slow
async def test_a_run_keeps_no_key_that_its_endpoint_repeats(tmp_path, keys, blabber, capfd):
    tape = tmp_path / "out" / "tape.jsonl"
    command = [
        *("run", f"tasks.path=[{tmp_path / 'tasks'}]", "family=rename", "strategy=engram"),
        *("seam=mid", "study.controls=[full]", f"run.results={tmp_path / 'out'}", "run.name=r"),
        *(*model(blabber.base_url), f"model.tape={tape}"),
    ]
    code = await asyncio.to_thread(main, command)
    told = "".join(capfd.readouterr())
    assert blabber.came > 20, told
    records = (tmp_path / "out/r/records.jsonl").read_text(encoding="utf-8").splitlines()
    found = {json.loads(line)["status"] for line in records}
    assert code == 1 and {"scored", "error"} <= found, told
    assert "go away, Bearer ***" in told
    assert not [secret for secret in SECRETS if secret in told]
    assert holders(tmp_path / "out") == []
    events = "".join(
        p.read_text(encoding="utf-8") for p in (tmp_path / "out").rglob("events.jsonl")
    )
    assert "I was sent Bearer *** and ***" in events and "m of ***" in "".join(records)
    assert (tmp_path / "out/r/report/report.html").is_file() and tape.is_file()


async def test_doctor_prints_no_key(tmp_path, keys, blabber, capfd):
    command = ["doctor", f"tasks.path=[{tmp_path / 'tasks'}]", "family=rename"]
    await asyncio.to_thread(main, [*command, *model(blabber.base_url)])
    told = "".join(capfd.readouterr())
    assert "***" in told and not [secret for secret in SECRETS if secret in told]


@pytest.mark.parametrize(
    "address", ["u:{}@127.0.0.1:9/v1", "{}@127.0.0.1:9", "127.0.0.1/v1?key={}"]
)
def test_an_address_with_a_login_is_refused_before_anything_is_written(address: str):
    given = f"model.base_url='http://{address.format(PASSWORD)}'"
    with pytest.raises(UserError, match="base_url") as caught:
        load_config(["model=endpoint", "model.name=m", given])
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize("name", ["Authorization", "X-Api-Key", "api-key", "Cookie", "X-Token"])
def test_a_header_that_would_be_stored_is_refused(name: str):
    given = f"model.headers={{{name}: {PASSWORD}}}"
    with pytest.raises(UserError, match=f"headers_env={{{name}: VARIABLE}}") as caught:
        load_config(["model=endpoint", "model.name=m", "model.base_url=http://h/v1", given])
    assert PASSWORD not in str(caught.value)


async def test_a_short_placeholder_is_not_taken_out_of_what_the_model_says(
    server, make, monkeypatch
):
    monkeypatch.setenv("BENCH_KEY", "dummy")
    said = {"role": "assistant", "content": "a dummy value"}
    server.script = [answer(200, completion(said))]
    assert (await make(key_env="BENCH_KEY").complete(USER)).message == said


def test_a_missing_key_is_told_by_its_variable(monkeypatch: Any):
    monkeypatch.delenv("NO_SUCH_AUTH", raising=False)
    with pytest.raises(UserError, match="NO_SUCH_AUTH"):
        Model(ModelSpec("m", "http://127.0.0.1/v1", headers_env={"X-Auth": "NO_SUCH_AUTH"}))
