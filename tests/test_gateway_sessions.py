"""A strategy inside the gateway: any client's growing history, cut in place, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import aiohttp
import openai
import pytest

from harness import tokens
from harness.cli import main
from harness.errors import UserError
from harness.gateway import Gateway, GatewayError
from harness.gateway.cutting import Settings
from harness.gateway.fit import require_fit
from harness.gateway.sessions import COMPARED, Sessions
from harness.gateway.upstream import Upstream
from harness.model import Model, ModelSpec
from harness.strategies import REGISTRY, make_strategy
from harness.strategies.base import Budget, Context, Strategy
from harness.transcript import Turn, read_events, view_at
from harness.types import Compaction, Message, Reply, Usage
from tests.test_gateway import connect

WINDOW = 4000
RULE = "Never touch src/legacy.py."
REQUEST = f"Rename order to invoice in src/orders.py and src/cart.py. {RULE}"
RULE_ZH = "不要改动 src/旧版.py。"
SYSTEM = {"role": "system", "content": "You are a coding agent."}
TOOL = {"type": "function", "function": {"name": "run", "parameters": {"type": "object"}}}
OUTPUT = "line of output, number {n}: nothing of interest here. " * 12


class Overflowing:
    """A model with a window: calls a tool every turn, sums up without detail, refuses too much."""

    def __init__(self) -> None:
        self.seen: list[list[dict[str, Any]]] = []
        self.summed: list[list[dict[str, Any]]] = []
        self.summed_by: list[str] = []
        self.fail = False
        self.wait: asyncio.Event | None = None

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        messages = request["messages"]
        if tokens.count_view(messages) > WINDOW:
            text = "maximum context length exceeded"
            raise GatewayError(400, "context_length_exceeded", text, param="messages")
        if not request.get("tools"):
            if self.wait:
                await self.wait.wait()
            if self.fail:
                raise GatewayError(403, "forbidden", "no summaries today")
            self.summed.append(messages)
            self.summed_by.append(request["model"])
            return self._reply({"role": "assistant", "content": "Some work was done."})
        self.seen.append(messages)
        n = len(self.seen)
        function = {"name": "run", "arguments": json.dumps({"command": f"step {n}"})}
        call = {"id": f"call_{n}", "type": "function", "function": function}
        said = {"role": "assistant", "content": f"Step {n}.", "tool_calls": [call]}
        return self._reply(said)

    def _reply(self, message: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": f"c{len(self.seen)}-{len(self.summed)}",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }


@pytest.fixture
def backend() -> Overflowing:
    return Overflowing()


def settings_of(
    strategy: str, folder: Path, complete: Any, *, window: int = WINDOW, **options: Any
) -> Settings:
    log = options.pop("log", None)
    return Settings(
        make=lambda: make_strategy(strategy, options),
        complete=complete,
        window=window,
        budget=Budget("study", None, 0.1, 500),
        folder=folder / "private",
        log=log,
    )


@asynccontextmanager
async def front(
    backend: Overflowing, folder: Path, strategy: str, **options: Any
) -> AsyncIterator[openai.AsyncOpenAI]:
    """A client of a gateway with a strategy, in front of the model behind HTTP."""
    async with Gateway(backend) as server:
        upstream = Upstream(server.base_url, api="chat")
        model = Model(ModelSpec("m", server.base_url, retries=0))
        sessions = Sessions(settings_of(strategy, folder, model.complete, **options))
        async with (
            Gateway(upstream, sessions=sessions) as gateway,
            openai.AsyncOpenAI(base_url=gateway.base_url, api_key="x", max_retries=0) as client,
        ):
            yield client
        sessions.close()
        await model.close()
        await upstream.close()


async def post(client: openai.AsyncOpenAI, messages: list[dict[str, Any]]) -> None:
    """One request by hand: the official client checks every message, which takes long for many,
    and refuses half a surrogate pair, which other programs send escaped.
    """
    body = json.dumps({"model": "m", "messages": messages, "tools": [TOOL]}).encode("ascii")
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{client.base_url}chat/completions", data=body) as response,
    ):
        assert response.status == 200, await response.text()


async def converse(
    client: openai.AsyncOpenAI, turns: int, history: list[dict[str, Any]], **extra: Any
) -> list[dict[str, Any]]:
    """Go on for some turns, always sending the whole history; all headers of the last reply."""
    for n in range(turns):
        reply = await client.chat.completions.create(
            model="m", messages=history, tools=[TOOL], **extra
        )
        message = reply.choices[0].message
        history.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = {"role": "tool", "tool_call_id": call.id, "content": OUTPUT.format(n=n)}
            history.append(result)
    return history


def started(request: str = REQUEST) -> list[dict[str, Any]]:
    return [SYSTEM, {"role": "user", "content": request}]


async def table(client: openai.AsyncOpenAI) -> list[dict[str, Any]]:
    """GET /v1/sessions."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{client.base_url}sessions") as response,
    ):
        return (await response.json())["data"]


def text_of(messages: list[dict[str, Any]]) -> str:
    return json.dumps(messages, ensure_ascii=False)


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [("engram", True), ("long_mem", True), ("combined", True), ("bare", False), ("wipe", None)],
)
async def test_40_turns_never_overflow_and_rules_stay_where_the_strategy_keeps_them(
    backend, tmp_path, strategy, kept
):
    async with front(backend, tmp_path, strategy) as client:
        history = await converse(client, 40, started())
        done = (await table(client))[0]
    assert len(backend.seen) == 40
    assert tokens.count_view(history) > 1.5 * WINDOW
    assert done["seams"] >= 2 and done["requests"] == 40 and done["histories_rewritten"] == 0
    assert done["tokens"]["shown"] < WINDOW < done["tokens"]["given"]
    later = [text_of(messages) for messages in backend.seen[-10:]]
    if kept is not None:
        assert all((RULE in text) == kept for text in later)
    # What came after the cut is passed on word for word, and nothing else of it is.
    assert history[-3] in backend.seen[-1][-2:]
    assert backend.seen[-1][0] == SYSTEM
    assert sum("[carried:" in str(m["content"]) for m in backend.seen[-1]) <= 2


async def test_without_a_strategy_the_same_conversation_overflows(backend, tmp_path):
    async with (
        Gateway(backend) as server,
        openai.AsyncOpenAI(base_url=server.base_url, api_key="x", max_retries=0) as client,
    ):
        with pytest.raises(openai.BadRequestError, match="maximum context length"):
            await converse(client, 40, started())


async def test_a_chinese_conversation_keeps_its_rule(backend, tmp_path):
    async with front(backend, tmp_path, "engram") as client:
        await converse(client, 40, started(f"把 order 改名为 invoice。{RULE_ZH}"))
    assert "src/旧版.py" in text_of(backend.seen[-1])
    assert any("请继续。" in text_of(messages) for messages in backend.seen)


async def test_what_an_agent_puts_before_the_user_is_never_cut_nor_taken_for_rules(
    backend, tmp_path
):
    place = "<environment_context>\n  <cwd>/work</cwd>\n</environment_context>"
    notes = "# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>"
    parts = [{"type": "text", "text": text} for text in (notes, place)]
    history = [SYSTEM, {"role": "user", "content": parts}, *started()[1:]]
    async with front(backend, tmp_path, "engram") as client:
        await converse(client, 20, history)
        history[1] = {"role": "user", "content": place.replace("/work", "/elsewhere")}
        await converse(client, 20, history)
        assert (await table(client))[0]["histories_rewritten"] == 0
    assert backend.seen[-1][:2] == history[:2]
    card = str(backend.seen[-1][2]["content"])
    assert RULE in card and "cwd" not in card and "push" not in card


async def test_a_rule_said_later_by_the_user_survives_too(backend, tmp_path):
    async with front(backend, tmp_path, "engram") as client:
        history = await converse(client, 5, started())
        history.append({"role": "user", "content": "Also: do not rename the database columns."})
        await converse(client, 30, history)
    assert "do not rename the database columns" in text_of(backend.seen[-1])


async def test_calls_and_results_stay_together(backend, tmp_path):
    async with front(backend, tmp_path, "engram") as client:
        await converse(client, 40, started())
    for messages in backend.seen:
        called: set[str] = set()
        for message in messages:
            called.update(call["id"] for call in message.get("tool_calls") or [])
            if message["role"] == "tool":
                assert message["tool_call_id"] in called


async def test_a_seam_is_paid_for_once(backend, tmp_path):
    async with front(backend, tmp_path, "engram") as client:
        history = await converse(client, 20, started())
        seams = len(backend.summed)
        assert seams >= 1
        for _ in range(3):  # retries of the same request
            await client.chat.completions.create(model="m", messages=history, tools=[TOOL])
        assert len(backend.summed) == seams
        async with asyncio.TaskGroup() as group:
            for _ in range(4):  # and several at once, over a new seam
                group.create_task(converse(client, 8, list(history)))
    assert backend.seen[-1][0] == SYSTEM


async def test_the_same_request_at_once_is_summed_up_once(backend, tmp_path):
    long = await grown(40)
    async with front(backend, tmp_path, "engram") as client:
        ask = client.chat.completions.create
        await asyncio.gather(*(ask(model="m", messages=long, tools=[TOOL]) for _ in range(8)))
        once = len(backend.summed)
        await ask(model="m", messages=long, tools=[TOOL])
    assert len(backend.summed) == once
    assert once == (await only_seams(long, tmp_path / "other"))


async def grown(turns: int) -> list[dict[str, Any]]:
    """A long history that no gateway has seen."""
    history = started()
    for n in range(turns):
        function = {"name": "run", "arguments": json.dumps({"command": f"step {n}"})}
        call = {"id": f"call_{n}", "type": "function", "function": function}
        history.append({"role": "assistant", "content": "", "tool_calls": [call]})
        result = {"role": "tool", "tool_call_id": f"call_{n}", "content": OUTPUT.format(n=n)}
        history.append(result)
    return history


async def only_seams(history: list[dict[str, Any]], folder: Path) -> int:
    backend = Overflowing()
    async with front(backend, folder, "engram") as client:
        await client.chat.completions.create(model="m", messages=history, tools=[TOOL])
    return len(backend.summed)


async def test_a_long_history_seen_for_the_first_time_is_cut_piece_by_piece(backend, tmp_path):
    history = await grown(120)
    assert tokens.count_view(history) > 4 * WINDOW
    async with front(backend, tmp_path, "engram") as client:
        await client.chat.completions.create(model="m", messages=history, tools=[TOOL])
    assert len(backend.summed) >= 5
    assert RULE in text_of(backend.seen[-1])
    assert backend.seen[-1][-2:] == history[-2:]


async def test_a_rewritten_history_starts_anew_and_says_so(backend, tmp_path, caplog):
    named = {"X-Seambench-Session": "mine"}
    async with front(backend, tmp_path, "engram") as client:
        history = await converse(client, 20, started(), extra_headers=named)
        before = len(backend.summed)
        history[1] = {"role": "user", "content": "Something else: never touch src/other.py."}
        await converse(client, 1, history, extra_headers=named)
        told = (await table(client))[0]
    assert "session mine: a history that goes on from none before it" in caplog.text
    assert told["session"] == "mine" and told["histories_rewritten"] == 1
    assert len(backend.summed) > before
    assert "src/other.py" in text_of(backend.seen[-1])
    assert RULE not in text_of(backend.seen[-1])


async def test_a_step_back_behind_the_seam_uses_the_seam_before(backend, tmp_path):
    async with front(backend, tmp_path, "engram") as client:
        history = await converse(client, 40, started())
        seams = (await table(client))[0]["seams"]
        back = [*history[:40], {"role": "user", "content": "No, otherwise: go on with the cart."}]
        await client.chat.completions.create(model="m", messages=back, tools=[TOOL])
        assert (await table(client))[0]["seams"] <= seams + 1
    assert "go on with the cart" in text_of(backend.seen[-1])
    assert RULE in text_of(backend.seen[-1])


async def test_sessions_of_one_beginning_do_not_meet(backend, tmp_path):
    """Agents at once with the same request and no name: each has its own continuation."""
    async with front(backend, tmp_path, "long_mem") as client:
        rules = [f"Also, never edit src/part{n}.py." for n in range(4)]
        runs = [
            converse(client, 20, [*started(), {"role": "user", "content": rule}]) for rule in rules
        ]
        await asyncio.gather(*runs)
    last = {rule: text for rule in rules for m in backend.seen if rule in (text := text_of(m))}
    assert len(last) == 4
    for rule, text in last.items():
        assert [r for r in rules if r in text] == [rule]


async def test_marks_and_changing_system_prompts_are_no_rewriting(backend, tmp_path):
    async with front(backend, tmp_path, "engram") as client:
        history = await converse(client, 20, started())
        history[0] = {"role": "system", "content": "You are a coding agent. It is 10:42."}
        text = {"type": "text", "text": REQUEST}
        marked = {"role": "user", "content": [{**text, "cache_control": {"type": "ephemeral"}}]}
        history[1] = {"role": "user", "content": [text]}
        await converse(client, 20, history)
        before = len(backend.summed)
        await client.chat.completions.create(
            model="m", messages=[history[0], marked, *history[2:]], tools=[TOOL]
        )
        assert len(backend.summed) == before
    assert backend.seen[-1][0] == history[0]


def rewritings() -> list[list[Message]]:
    """One conversation as an agent sends it again and again: longer, marked, changed, shortened."""
    messages: list[Message] = [SYSTEM, {"role": "user", "content": REQUEST}]
    sent = []
    for n in range(16):
        function = {"name": "run", "arguments": json.dumps({"command": f"步骤 {n}"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        messages = [
            *messages,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{n}", "content": OUTPUT.format(n=n) + "\ud83d"},
        ]
        sent.append(messages)
    marked = [{"type": "text", "text": REQUEST, "cache_control": {"type": "ephemeral"}}]
    plain = [{"type": "text", "text": REQUEST}]
    for content in (plain, marked, plain):
        sent.append([SYSTEM, {"role": "user", "content": content}, *messages[2:]])
    changed = {**messages[5], "content": "another result"}
    sent += [messages, messages[:9], [*messages[:5], changed, *messages[6:]], messages]
    return sent


async def test_what_is_kept_of_the_last_history_makes_no_difference(tmp_path):
    async def complete(messages: list[Message], **_: Any) -> Reply:
        told = f"Some work: {len(messages)}."
        return Reply({"role": "assistant", "content": told}, Usage(1, 0, 1), "m")

    for name in ("s", None):
        one, other = (
            Sessions(settings_of("engram", tmp_path / str(name) / part, complete, window=1500))
            for part in ("one", "other")
        )
        for messages in rewritings():
            body = json.loads(json.dumps(messages))  # every request brings objects of its own
            found = await one.shorten(name, body, {"model": "m"})
            again = await other.shorten(name, json.loads(json.dumps(messages)), {"model": "m"})
            assert found == again
            for session in other.sessions.values():
                session.newest = None
        assert one.table() == other.table()
        assert max(row["seams"] for row in one.table()) > 1


async def test_histories_that_only_joined_are_the_same_do_not_meet(tmp_path):
    sessions = Sessions(settings_of("bare", tmp_path, None))
    for first in (
        {"role": "user", "name": "ab", "content": "c"},
        {"role": "user", "name": "a", "content": "bc"},
        {"role": "user", "content": '[{"type": "text", "text": "c"}]'},
        {"role": "user", "content": [{"type": "text", "text": "c"}]},
    ):
        await sessions.shorten(None, [first], {"model": "m"})
    assert len(sessions.sessions) == 4


async def test_only_recent_sessions_keep_their_last_history(tmp_path):
    sessions = Sessions(settings_of("bare", tmp_path, None))
    for n in range(3 * COMPARED):
        await sessions.shorten(f"s{n}", [{"role": "user", "content": "go"}], {"model": "m"})
    kept = [name for name, session in sessions.sessions.items() if session.newest]
    assert kept == [f"s{n}" for n in range(2 * COMPARED, 3 * COMPARED)]


async def test_headers_name_session_and_sizes(backend, tmp_path):
    async with front(backend, tmp_path, "engram") as client:
        history = await converse(client, 20, started())
        raw = await client.chat.completions.with_raw_response.create(
            model="m", messages=history, tools=[TOOL], stream=False
        )
        assert int(raw.headers["x-seambench-seams"]) >= 1
        shown, given = map(int, raw.headers["x-seambench-tokens"].split(" of "))
        assert shown < given
        assert raw.headers["x-seambench-session"] == (await table(client))[0]["session"]
        assert RULE not in json.dumps(await table(client))


async def test_a_failing_summariser_is_told_and_can_be_tried_again(backend, tmp_path):
    history = await grown(40)
    async with front(backend, tmp_path, "engram") as client:
        backend.fail = True
        with pytest.raises(openai.InternalServerError, match="no summaries today") as caught:
            await client.chat.completions.create(model="m", messages=history, tools=[TOOL])
        assert caught.value.code == "strategy_failed"
        backend.fail = False
        await client.chat.completions.create(model="m", messages=history, tools=[TOOL])
    assert RULE in text_of(backend.seen[-1])


async def test_a_client_that_leaves_at_a_seam_leaves_nothing_locked(backend, tmp_path):
    history = await grown(40)
    async with front(backend, tmp_path, "engram") as client:
        ask = client.chat.completions.create
        backend.wait = asyncio.Event()
        task = asyncio.create_task(ask(model="m", messages=history, tools=[TOOL]))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        backend.wait.set()
        await asyncio.wait_for(ask(model="m", messages=history, tools=[TOOL]), 10)
    assert RULE in text_of(backend.seen[-1])


async def test_a_turn_larger_than_the_window_is_passed_on_and_refused_upstream(backend, tmp_path):
    history = started()
    history.append({"role": "user", "content": "word " * 2 * WINDOW})
    async with front(backend, tmp_path, "engram") as client:
        with pytest.raises(openai.BadRequestError) as caught:
            await client.chat.completions.create(model="m", messages=history, tools=[TOOL])
    assert caught.value.code == "context_length_exceeded"


class Watching(Strategy):
    """Keeps one line and notes every turn that it is told of."""

    name = "watching"
    turns: ClassVar[list[Turn]] = []

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        return Compaction(view=[{"role": "user", "content": "Go on."}])

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        self.turns.append(turn)


async def test_a_strategy_is_told_of_every_turn_after_a_seam_once(backend, tmp_path):
    Watching.turns.clear()
    sessions = Sessions(replace(settings_of("bare", tmp_path, None), make=Watching))
    async with Gateway(backend, sessions=sessions) as gateway, connect(gateway.base_url) as client:
        history = await converse(client, 40, started())
        await client.chat.completions.create(model="m", messages=history, tools=[TOOL])
    numbers = [turn.number for turn in Watching.turns]
    assert numbers[-1] == 40 and numbers == sorted(set(numbers))
    assert numbers == list(range(numbers[0], 41))
    last = Watching.turns[-1]
    assert (last.say, last.calls[0].tool, last.calls[0].args) == (
        *("Step 40.", "run"),
        {"command": "step 40"},
    )
    assert last.calls[0].result == OUTPUT.format(n=39)


@pytest.mark.parametrize("messages", [[SYSTEM], [SYSTEM, SYSTEM], started()[1:], started()])
async def test_short_histories_pass_as_they_are(backend, tmp_path, messages):
    async with front(backend, tmp_path, "engram") as client:
        for _ in range(2):
            await client.chat.completions.create(model="m", messages=messages, tools=[TOOL])
    assert backend.seen == [messages, messages] and not backend.summed


async def test_odd_messages_pass_a_strategy(backend, tmp_path):
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 400_000}}
    history = [
        {"role": "developer", "content": "You are a coding agent."},
        {"role": "user", "content": [{"type": "text", "text": REQUEST}, image]},
        {"role": "critic", "content": None},
        {"role": "user", "content": "half a pair: \ud83d"},
        *(await grown(30))[2:],
    ]
    history[-1] = {**history[-1], "content": ""}
    async with front(backend, tmp_path, "engram", log=tmp_path / "log") as client:
        await post(client, history)
        # An image counts by rule, not by the length of its data.
        assert (await table(client))[0]["tokens"]["given"] < 10_000
    assert RULE in text_of(backend.seen[-1])


@pytest.mark.slow
async def test_ten_thousand_messages(backend, tmp_path):
    history = started()
    for n in range(5000):
        history.append({"role": "assistant", "content": f"Step {n}."})
        history.append({"role": "user", "content": f"Yes, {n}."})
    async with front(backend, tmp_path, "engram") as client:
        await post(client, history)
    assert RULE in text_of(backend.seen[-1])


async def test_the_responses_route_is_cut_as_well(backend, tmp_path):
    tool = {"type": "function", "name": "run", "parameters": {"type": "object"}}
    items: list[dict[str, Any]] = [{"role": "user", "content": REQUEST}]
    async with front(backend, tmp_path, "engram") as client:
        for n in range(30):
            reply = await client.responses.create(
                model="m", instructions=SYSTEM["content"], input=items, tools=[tool]
            )
            for item in reply.output:
                items.append(item.model_dump(exclude_none=True))
                if item.type == "function_call":
                    output = {"type": "function_call_output", "call_id": item.call_id}
                    items.append({**output, "output": OUTPUT.format(n=n)})
        done = (await table(client))[0]
    assert done["seams"] >= 1 and len(backend.seen) == 30
    assert RULE in text_of(backend.seen[-1]) and backend.seen[-1][0] == SYSTEM


@pytest.mark.slow
async def test_a_session_log_is_read_by_audit(backend, tmp_path):
    log = tmp_path / "log"
    async with front(backend, tmp_path, "long_mem", log=log) as client:
        named = {"X-Seambench-Session": "mine"}
        history = await converse(client, 40, started(), extra_headers=named)
        seams = (await table(client))[0]["seams"]
    events = read_events(log / "mine" / "events.jsonl")
    assert sum(event["type"] == "compaction" for event in events) == seams
    said = [e["message"] for e in events if e["type"] == "message" and e["source"] != "strategy"]
    assert said == history[:-2]  # the last reply and its result were never sent
    # The view of the last turn is what the model was shown.
    assert view_at(events, max(e["turn"] for e in events)) == backend.seen[-1]
    done = subprocess.run(
        [sys.executable, "-m", "harness", "audit", str(log)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert f"{seams} seams" in done.stdout or f"{seams} compactions" in done.stdout, done.stdout


@asynccontextmanager
async def command(*arguments: str) -> AsyncIterator[str]:
    """`seambench gateway` in a process of its own; its address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "harness", "gateway", "--port", "0", *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        line = await asyncio.wait_for(process.stdout.readline(), 60)
        yield line.decode("utf-8").rsplit(" ", 1)[-1].strip()
    finally:
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 20) == 0


@pytest.mark.slow
async def test_the_command_gives_a_strategy_to_any_endpoint(backend, tmp_path):
    async with Gateway(backend) as server:
        arguments = (
            *("strategy=engram", f"gateway.window={WINDOW}", f"gateway.log={tmp_path / 'log'}"),
            *("model=endpoint", f"model.base_url={server.base_url}", "gateway.api=chat"),
            *("summariser=endpoint", f"summariser.base_url={server.base_url}"),
            "summariser.name=small",
        )
        async with command(*arguments) as url, connect(url) as client:
            await converse(client, 25, started())
            assert (await table(client))[0]["seams"] >= 1
    assert RULE in text_of(backend.seen[-1])
    assert set(backend.summed_by) == {"small"}
    assert len(list((tmp_path / "log").glob("*/events.jsonl"))) == 1


ABSENT = ("model=endpoint", "model.base_url=http://127.0.0.1:9/v1")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["strategy=tattoo", "gateway.window=9000"], "tattoo works with files in the workspace"),
        (["strategy=engram"], "gateway.window: expected the tokens"),
        (["strategy=engram", "gateway.window=1999"], "at least 2000"),
        (["strategy=engram", "gateway.window=9000", "gateway.trigger=7"], "gateway.trigger: exp"),
        (["strategy=engram,bare", "gateway.window=9000"], "the gateway takes one strategy"),
        (["gateway.windw=9000"], "unknown key 'gateway.windw'; nearest: gateway.window"),
        (["model=tape", "model.path=x"], "model=tape: the gateway needs a model that answers"),
        (["gateway.api=grpc"], "gateway.api: expected auto, chat or responses"),
        (["--host", "0.0.0.0", *ABSENT], "require a token (--token-env)"),
        (["--token-env", "NO_SUCH_KEY"], "set the environment variable NO_SUCH_KEY"),
    ],
)
def test_mistakes_at_the_command_line_are_one_line(arguments, told, capsys):
    assert main(["gateway", "--port", "0", *arguments]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert told in lines[-1] and len([x for x in lines if not x.startswith("note:")]) == 1


async def test_a_log_is_never_overwritten(backend, tmp_path):
    named = {"extra_headers": {"X-Seambench-Session": "mine"}}
    for _ in range(2):  # the gateway was restarted in between
        async with front(backend, tmp_path, "engram", log=tmp_path / "log") as client:
            await converse(client, 2, started(), **named)
            await converse(client, 1, started("Something else."), **named)
            await converse(client, 1, started("../../etc"), extra_headers={"thread-id": "../up"})
    files = sorted((tmp_path / "log").glob("*/events.jsonl"))
    assert [f.parent.name for f in files if f.parent.name.startswith("mine")] == [
        *("mine", "mine-2", "mine-3", "mine-4")
    ]
    assert len(files) == 6 and not (tmp_path / "up").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_only_strategies_that_change_the_view_alone_can_act_in_a_gateway():
    fit = []
    for name in REGISTRY:
        try:
            require_fit(make_strategy(name, {}))
        except UserError as error:
            assert "it can do bare, long_mem, engram" in str(error), error
        else:
            fit.append(name)
    assert set(fit) >= {"bare", "long_mem", "engram", "combined", "recent_n", "codex_handoff"}
    assert not set(fit) & {"tattoo", "protocol", "git_log", "git_card"}
    with pytest.raises(UserError, match=r"^self_check takes turns .* it can do card_edit, pin$"):
        require_fit(make_strategy("bare", {}, None, [{"name": "self_check"}]))
    locked = make_strategy("bare", {})
    locked.lock = threading.Lock()
    with pytest.raises(UserError, match="bare: what it holds cannot be copied"):
        require_fit(locked)
    with pytest.raises(UserError, match="answers tool calls"):
        require_fit(make_strategy("bare", {}, None, [{"name": "idempotent_tools"}]))
