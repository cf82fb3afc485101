"""Calls on a tape: a run is replayed without a network, and what is not on it is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures import write_fixture
from runs import run_here, timeless
from servers import USER, answer, completion, refuse

from harness.build import model_spec, tape_of, worker_backend
from harness.config import load_config
from harness.errors import ContextOverflow, ModelError, UserError
from harness.gateway import Gateway
from harness.model import Model, ModelSpec
from harness.tape import Replay, Tape, first_difference
from harness.tasks import load_task

KEY = "sk-planted-on-no-tape-0123"
DEAD = ModelSpec("m", "http://127.0.0.1:9/v1", retries=0)
CONFIG = {"kind": "endpoint", "name": "m"}


def said(text: str) -> Any:
    return answer(200, completion({"role": "assistant", "content": text}))


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


async def replayed(path: Path, text: str, scope: str = "") -> str:
    model = Model(DEAD, tape=Replay(path))
    return (await model.complete(user(text), scope=scope)).message["content"]


async def test_each_scope_has_its_own_order(server, make, tmp_path):
    path = tmp_path / "new" / "tape.jsonl"
    server.script = [said(name) for name in ("a1", "b1", "a2", "b2", "x")]
    model = make(tape=Tape(path, CONFIG))
    for scope in ("a", "b", "a", "b"):
        await model.complete(USER, scope=scope)
    again = Model(DEAD, tape=Replay(path))
    order = [(await again.complete(USER, scope=s)).message["content"] for s in ("b", "b", "a", "a")]
    assert order == ["b1", "b2", "a1", "a2"]
    with pytest.raises(ModelError, match="came 3 times, more often than it was recorded"):
        await again.complete(USER, scope="a")


async def test_a_trial_that_was_run_again_counts_as_it_ended(server, make, tmp_path):
    path = tmp_path / "tape.jsonl"
    server.script = [said("first"), refuse(401, "bad key")]
    model = make(tape=Tape(path, CONFIG))
    await model.complete(user("one"), scope="a")
    with pytest.raises(ModelError):
        await model.complete(user("two"), scope="a")
    with pytest.raises(ModelError, match="401 bad key") as caught:
        await replayed(path, "two", "a")
    assert (caught.value.kind, caught.value.retry) == ("auth", False)
    server.script = [said("first again"), said("second")]
    model = make(tape=Tape(path, CONFIG))
    await model.complete(user("one"), scope="a")
    await model.complete(user("two"), scope="a")
    assert await replayed(path, "one", "a") == "first again"
    assert await replayed(path, "two", "a") == "second"


async def test_an_overflow_is_replayed_as_one(server, make, tmp_path):
    path = tmp_path / "tape.jsonl"
    server.script = [refuse(400, "too long", "context_length_exceeded")]
    with pytest.raises(ContextOverflow):
        await make(tape=Tape(path, CONFIG)).complete(USER)
    with pytest.raises(ContextOverflow, match="too long"):
        await Model(DEAD, tape=Replay(path)).complete(USER)


async def test_retries_are_not_played_again(server, make, tmp_path):
    path = tmp_path / "tape.jsonl"
    server.script = [refuse(503, "loading"), refuse(429, "slow"), said("at last")]
    await make(tape=Tape(path, CONFIG)).complete(USER)
    model = Model(DEAD, tape=Replay(path))
    assert (await model.complete(USER)).message["content"] == "at last"
    assert model.waited_s == 0


async def test_what_is_not_on_the_tape_is_told_by_its_first_difference(server, make, tmp_path):
    path = tmp_path / "tape.jsonl"
    server.script = [said("yes")]
    model = make(tape=Tape(path, CONFIG))
    await model.complete([*user("start"), *user("the port is 8123 here")], scope="t1")
    with pytest.raises(ModelError) as caught:
        again = Model(DEAD, tape=Replay(path))
        await again.complete([*user("start"), *user("the port is 9000 here")], scope="t1")
    text = str(caught.value)
    assert caught.value.kind == "not_on_tape" and not caught.value.retry
    assert "messages[1].content differs at character 12" in text
    assert "8123" in text and "9000" in text and str(path) in text
    with pytest.raises(ModelError, match="none of trial or prefix t2"):
        await replayed(path, "start", "t2")


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": 1}, {"a": 1, "t": 0.5}, "t differs at character 0: 'None' on tape, '0.5' now"),
        ({"m": [1]}, {"m": [1, 2]}, "m has 1 entries on tape, 2 now"),
        ({"m": [{"c": "端口"}]}, {"m": [{"c": "端点"}]}, "m[0].c differs at character 1"),
    ],
)
def test_first_difference(then, now, told):
    found = first_difference(then, now)
    assert found == told or (told and found and found.startswith(told))


async def test_a_torn_line_is_cut_and_a_damaged_one_told(server, make, tmp_path):
    path = tmp_path / "tape.jsonl"
    server.script = [said("one"), said("two")]
    await make(tape=Tape(path, CONFIG)).complete(user("one"))
    with path.open("ab") as file:
        file.write(b'{"call": {"scope": "", "ke')
    assert await replayed(path, "one") == "one"
    await make(tape=Tape(path, CONFIG)).complete(user("two"))
    assert [await replayed(path, text) for text in ("one", "two")] == ["one", "two"]
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"what?\n", *lines[2:]]))
    with pytest.raises(UserError, match="line 3 is not of a tape"):
        Replay(path)


async def test_a_tape_of_a_local_model_needs_neither_its_file_nor_its_port(server, tmp_path):
    path = tmp_path / "tape.jsonl"
    server.script = [said("kept")]
    given = ["model=local", "model.path=/models/small.gguf", "model.name=small"]
    config, _ = load_config([*given, f"model.tape={path}"])
    for address in (server.base_url, "http://127.0.0.1:1/v1"):  # a resumed run has another port
        tape = tape_of(replace(config.model, base_url=address))
    model = Model(model_spec(config.model, server.base_url), tape=tape)
    await model.complete(user("hello"))
    await model.close()
    assert "/models" not in path.read_text(encoding="utf-8")
    again, _ = load_config(["model=tape", f"model.path={path}"])
    assert (again.model.kind, again.model.name, again.model.window) == ("endpoint", "small", 32768)
    model = Model(model_spec(again.model, again.model.base_url), tape=tape_of(again.model))
    assert (await model.complete(user("hello"))).message["content"] == "kept"


def test_other_files_and_other_models_are_refused(tmp_path):
    path = tmp_path / "tape.jsonl"
    Tape(path, CONFIG)
    Tape(path, CONFIG)
    with pytest.raises(UserError, match="another model"):
        Tape(path, {**CONFIG, "name": "other"})
    with pytest.raises(UserError, match="cannot be written"):
        Tape(tmp_path, CONFIG)
    for content in ("", '{"messages": []}\n', '{"tape": 99, "model": {}}\n'):
        (tmp_path / "no.jsonl").write_text(content, encoding="utf-8")
        with pytest.raises(UserError, match=r"no\.jsonl"):
            Replay(tmp_path / "no.jsonl")
    with pytest.raises(UserError, match="cannot be read"):
        Replay(tmp_path / "missing.jsonl")


@pytest.mark.slow
async def test_a_run_is_replayed_to_the_same_records_with_nobody_there(tmp_path, monkeypatch):
    write_fixture(tmp_path / "tasks")
    tape = tmp_path / "tape.jsonl"
    run = [
        *(f"tasks.path=[{tmp_path / 'tasks'}]", "family=rename", "strategy=engram"),
        *("seam=mid", "study.controls=[full]", f"run.results={tmp_path}"),
    ]
    monkeypatch.setenv("TAPE_KEY", KEY)
    async with Gateway(worker_backend([load_task(tmp_path / "tasks/rename/tiny")])) as gateway:
        paid, _ = await run_here(
            *(*run, "run.name=paid", "model=endpoint", f"model.base_url={gateway.base_url}"),
            *("model.name='worker:{handle}'", "model.key_env=TAPE_KEY", f"model.tape={tape}"),
            "model.prices={input: 1.0, cached: 0.1, output: 4.0}",
        )
    monkeypatch.delenv("TAPE_KEY")
    replay = [*run, "model=tape", f"model.path={tape}"]
    free, _ = await run_here(*replay, "run.name=free", "run.concurrency=1")
    assert len(timeless(paid)) == 3 and timeless(paid) == timeless(free)
    for row in paid.records():
        assert row["status"] == "scored" and row["cost_usd"]["window"]["list"]
    assert KEY not in tape.read_text(encoding="utf-8")
    other, _ = await run_here(*replay, "run.name=other", "agent.plan=false")
    assert {row["reason"] for row in other.records()} == {"model:not_on_tape"}
    assert "tools[4].function.name differs" in other.records()[0]["attempts"][-1]["text"]
