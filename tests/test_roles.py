"""Further roles beside the agent's model: who is asked for summaries, and who for states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures import write_fixture
from runs import run_here
from servers import Server, answer, completion

from analysis.records import Source, by_source
from harness.config import load_config
from harness.errors import UserError
from harness.gateway.cutting import Settings
from harness.gateway.sessions import Sessions
from harness.model import Model, ModelSpec
from harness.strategies import make_strategy
from harness.strategies.base import Budget

RULE = "不要改动 pkg/旧.py, 编号 7734."
STATE = {
    "constraints": [{"text": RULE, "polarity": "must_not"}],
    "files": [],
    **{name: [] for name in ("naming", "open", "done", "environment", "decisions")},
}
SUMMARY = "Some work was done."


def answers(state: str) -> Any:
    """A step of the server: a state for the model `states`, a summary for `sums`."""
    used = {"states": (1000, 50), "sums": (100, 5)}
    said = {"states": state, "sums": SUMMARY}

    async def step(request: Any) -> Any:
        name = (await request.json())["model"]
        given, made = used[name]
        usage = {"prompt_tokens": given, "completion_tokens": made}
        usage["prompt_tokens_details"] = {"cached_tokens": 0}
        message = {"role": "assistant", "content": said[name]}
        return await answer(200, completion(message, usage=usage))(request)

    return step


def roles(url: str, *names: str) -> list[str]:
    found = {"summariser": "sums", "extractor": "states"}
    price = {"summariser": 1.0, "extractor": 10.0}
    return [
        override
        for role in names
        for override in (
            f"{role}=endpoint",
            f"{role}.base_url={url}",
            f"{role}.name={found[role]}",
            f"{role}.prices={{input: {price[role]}, cached: 0.0, output: 0.0}}",
        )
    ]


def asked_for(server: Server) -> list[str]:
    return sorted(body["model"] for body in server.bodies)


@pytest.mark.slow
@pytest.mark.parametrize("state", [json.dumps(STATE, ensure_ascii=False), "no JSON"])
async def test_states_and_summaries_of_two_models(state, server, tmp_path):
    write_fixture(tmp_path / "tasks")
    server.script = [answers(state)]
    folder, _ = await run_here(
        *(f"tasks.path=[{tmp_path / 'tasks'}]", "family=rename", "seam=mid"),
        *("strategy=engram", "study.beside=[bare]", "study.controls=[]"),
        "strategy.options.extraction=model",
        *(f"run.results={tmp_path}", "run.name=r", *roles(server.base_url, *ROLES)),
    )
    records = {record["strategy"]: record for record in folder.records()}
    assert {r["status"] for r in records.values()} == {"scored"}
    for record in records.values():
        assert record["extractor"] == {"name": "states", "sha256": None}
        assert record["summariser"] == {"name": "sums", "sha256": None}
    engram, bare = records["engram"], records["bare"]
    assert asked_for(server) == ["states", "sums", "sums"]
    assert (engram["tokens"]["compaction"]["input"], bare["tokens"]["compaction"]["input"]) == (
        1100,
        100,
    )
    assert engram["cost_usd"]["compaction"]["list"] == pytest.approx((10 * 1000 + 100) / 1e6)
    assert bare["cost_usd"]["compaction"]["list"] == pytest.approx(100 / 1e6)
    log = (folder.trial(engram["trial_id"]) / "events.jsonl").read_text(encoding="utf-8")
    assert (RULE in log) is (state != "no JSON")
    assert any("extraction_fell_back" in n for n in engram["notes"]) is (state == "no JSON")


ROLES = ("summariser", "extractor")


def test_an_extractor_that_nobody_asks_is_a_mistake():
    with pytest.raises(UserError, match="no strategy asks for a state"):
        load_config(["strategy=engram", *roles("http://127.0.0.1:9/v1", "extractor")])
    given = ["strategy=combined", "strategy.options.extraction=model"]
    config, _ = load_config([*given, *roles("http://127.0.0.1:9/v1", "extractor")])
    assert config.extractor.name == "states" and config.summariser is None


def test_runs_without_an_extractor_are_the_same_as_before_there_was_one():
    assert "extractor" not in load_config(["strategy=engram"])[0].identity()
    given = ["strategy=engram", "strategy.options.extraction=model"]
    named = load_config([*given, *roles("http://127.0.0.1:9/v1", "extractor")])[0].identity()
    assert named["extractor"]["name"] == "states" and "tape" not in named["extractor"]


def test_records_of_different_extractors_are_not_pooled():
    record = {"run_id": "r", "status": "scored", "model": "m", "agent": "loop", "simulated": False}
    other = {**record, "extractor": {"name": "states", "sha256": None}}
    assert set(by_source([record, other])) == {
        Source("m", "loop", False, "", ""),
        Source("m", "loop", False, "", "states"),
    }
    assert "states by states" in Source("m", "loop", False, "", "states").told


async def test_a_gateway_asks_the_extractor_for_states(server, tmp_path: Path):
    server.script = [answers(json.dumps(STATE, ensure_ascii=False))]
    sums, states = (Model(ModelSpec("m", server.base_url)) for _ in range(2))

    async def complete(messages: list[Any], *, model_name: str, **limits: Any) -> Any:
        return await sums.complete(messages, model_name="sums", **limits)

    async def extractor(messages: list[Any], *, model_name: str, **limits: Any) -> Any:
        return await states.complete(messages, model_name="states", **limits)

    settings = Settings(
        make=lambda: make_strategy("engram", {"extraction": "model"}),
        complete=complete,
        extractor=extractor,
        window=1500,
        budget=Budget("study", None, 0.1, 500),
        folder=tmp_path / "private",
    )
    sessions = Sessions(settings)
    history = [{"role": "user", "content": f"Word {n}. " * 60} for n in range(12)]
    history = [m for user in history for m in (user, {"role": "assistant", "content": "Well."})]
    shown, _ = await sessions.shorten("s", [*history, history[0]], {"model": "agent"})
    for model in (sums, states):
        await model.close()
    assert RULE in json.dumps(shown, ensure_ascii=False)
    used = [len([b for b in server.bodies if b["model"] == name]) for name in ("sums", "states")]
    assert used[0] == used[1] > 0
    assert sessions.table()[0]["summariser"]["input"] == 1100 * used[0]
