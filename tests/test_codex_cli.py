"""The real Codex CLI at work: skipped where `make codex` was not run."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fixtures import small_task, write_fixture
from runs import records_only, seambench

from harness.build import sandbox_here
from harness.codex.agent import CodexAgent
from harness.codex.process import Process, Setting, find_codex
from harness.codex.rollout import compactions
from harness.errors import AgentError, ModelError, UserError
from harness.gateway import Gateway, GatewayError
from harness.model import Model, ModelSpec
from harness.store import Blobs
from harness.tasks import LoadedTask
from harness.text import content_text
from harness.transcript import Transcript, Turn
from harness.user import NEUTRAL, ScriptedUser
from harness.workspace import Workspace

try:
    BINARY, WHY = find_codex(), ""
except UserError as absent:
    BINARY, WHY = Path(), str(absent)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(WHY), reason=WHY),
    pytest.mark.skipif(
        sandbox_here("auto").name != "bubblewrap", reason="bubblewrap does not work here"
    ),
]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of the small task, two seams in a row: three strategies and the ceiling."""
    place = tmp_path_factory.mktemp("codex")
    write_fixture(place)
    done = seambench(
        *("run", "agent=codex", "strategy=engram,long_mem,bare", "study.controls=[full]"),
        *(f"tasks.path=[{place}]", "family=rename", "seam=early", "seam.count=2", "run.name=r"),
        *(f"run.results={place / 'results'}", "run.sandbox=bubblewrap"),
        f"model.tape={place / 'tape.jsonl'}",
    )
    assert done.returncode == 0, done.stderr
    assert "codex-" in done.stdout and "simulated" in done.stdout
    return place / "results" / "r"


def records(run: Path, seam: int = 1) -> dict[str, dict[str, Any]]:
    lines = (run / "records.jsonl").read_text(encoding="utf-8").splitlines()
    found = map(json.loads, lines)
    return {r["arm"]: r for r in found if r["seam"]["index"] == seam}


def timeless(record: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in record.items() if k not in ("seconds", "started_at")}


def rollouts(run: Path, record: dict[str, Any]) -> list[Path]:
    return sorted((run / "trials" / record["trial_id"]).glob("rollout-*.jsonl"))


def test_every_arm_is_scored_from_one_shared_prefix(finished: Path) -> None:
    found = records(finished)
    assert set(found) == {"engram", "long_mem", "bare", "full"}
    assert {r["status"] for r in found.values()} == {"scored"}
    assert len({r["prefix_hash"] for r in found.values()}) == 1
    assert {r["prefix_kind"] for r in found.values()} == {"shared"}
    assert {r["sandbox"] for r in found.values()} == {"bubblewrap"}
    assert all(r["agent"].startswith("codex-") and r["simulated"] for r in found.values())
    assert not any(r["malformed_calls"] for r in found.values())
    assert found["engram"]["continued"] and found["full"]["continued"]


def test_codex_itself_compacted_and_carries_the_strategys_text(finished: Path) -> None:
    for arm, record in records(finished).items():
        prefix, fork = rollouts(finished, record)
        assert compactions(prefix.read_bytes()) == []
        made = compactions(fork.read_bytes())
        assert len(made) == (0 if arm == "full" else 1)
        if arm != "full":
            kinds = ("card", "summary") if arm == "engram" else ("summary",)
            assert all(f"[carried:{kind}]" in made[0]["message"] for kind in kinds)
            kept = json.dumps(made[0]["replacement_history"])
            assert "nothing over 40 columns" in kept  # Codex keeps what the user said


def test_a_second_seam_compacts_once_more(finished: Path) -> None:
    second = records(finished, 2)
    assert {r["status"] for r in second.values()} == {"scored"} and len(second) == 4
    for arm, record in second.items():
        files = rollouts(finished, record)
        found = [len(compactions(file.read_bytes())) for file in files]
        assert found == ([0, 0, 0] if arm == "full" else [0, 1, 1])


def test_the_view_after_the_seam_is_what_codex_was_left_with(finished: Path) -> None:
    record = records(finished)["long_mem"]
    log = finished / "trials" / record["trial_id"] / "events.jsonl"
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    [seam] = [e for e in events if e["type"] == "compaction"]
    assert record["view_tokens"]["after"] < record["view_tokens"]["before"]
    assert seam["noop"] is False and record["view_tokens"]["injected"] > 0
    memory = [e["message"] for e in events if e.get("source") == "strategy"]
    assert any("[carried:memory]" in content_text(m) for m in memory)


def test_a_stored_run_is_verified_and_its_sessions_are_read(finished: Path) -> None:
    done = seambench("verify", str(finished))
    assert done.returncode == 0 and "0 differ" in done.stdout, done.stderr
    fork = rollouts(finished, records(finished)["engram"])[1]
    audit = seambench("audit", str(fork))
    assert "1 sessions, 1 compactions" in audit.stdout and "codex" in audit.stdout, audit.stderr
    assert not (finished / "scratch").exists()


def test_a_trial_that_is_owed_starts_from_the_stored_session(
    finished: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "r"
    shutil.copytree(finished, copy)
    both = [*records(copy).values(), *records(copy, 2).values()]
    kept = [r for r in both if r["arm"] != "engram"]
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in kept)
    (copy / "records.jsonl").write_text(text, encoding="utf-8")
    command = json.loads((copy / "command.json").read_text(encoding="utf-8"))
    command = [f"run.results={tmp_path}" if c.startswith("run.results=") else c for c in command]
    command = [c for c in command if not c.startswith("model.tape=")]
    done = records_only("run", *command)
    assert done.returncode == 0, done.stderr
    again = records(copy)["engram"]
    assert again["prefix_hash"] == kept[0]["prefix_hash"] and again["status"] == "scored"
    assert again["windows"] == records(finished)["engram"]["windows"]


def test_a_tape_is_replayed_to_the_same_records_with_nobody_there(
    finished: Path, tmp_path: Path
) -> None:
    place = finished.parents[1]
    done = records_only(
        *("run", "agent=codex", "strategy=engram,bare", "study.controls=[]", "family=rename"),
        *(f"tasks.path=[{place}]", "seam=early", "seam.count=2", "run.sandbox=bubblewrap"),
        *("model=tape", f"model.path={place / 'tape.jsonl'}"),
        *(f"run.results={tmp_path}", "run.name=r"),
    )
    assert done.returncode == 0, done.stderr
    for seam in (1, 2):
        before, again = records(finished, seam), records(tmp_path / "r", seam)
        assert set(again) == {"engram", "bare"}
        for arm, record in again.items():
            assert timeless(record) == timeless(before[arm])


class Script:
    """A backend that answers the n-th request for a turn with the n-th reply."""

    def __init__(self, *replies: dict[str, Any] | GatewayError) -> None:
        self.replies = list(replies)
        self.seen: list[list[dict[str, Any]]] = []

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        self.seen.append(request["messages"])
        reply = self.replies[len(self.seen) - 1]
        if isinstance(reply, GatewayError):
            raise reply
        message = {"role": "assistant", "content": None, **reply}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 50, "completion_tokens": 5}
        return {
            "id": "x",
            "model": "m",
            "object": "chat.completion",
            "choices": [choice],
            "usage": usage,
        }


def tool(name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"id": f"call_{name}_{len(str(arguments))}", "type": "function", "function": function}


def shell(*commands: str) -> dict[str, Any]:
    return {"tool_calls": [tool("exec_command", cmd=command) for command in commands]}


async def turns(place: Path, script: Script, count: int) -> tuple[list[Turn], Transcript]:
    """So many turns of Codex on the small task, with a scripted model behind it."""
    loaded: LoadedTask = small_task(place)
    workspace = Workspace.create(loaded.files, place / "work")
    transcript = Transcript()
    sandbox = sandbox_here("auto")
    (place / "meet").mkdir()
    async with Gateway(script) as gateway:
        model = Model(ModelSpec("m", gateway.base_url))
        agent = CodexAgent(
            model=model,
            model_name="m",
            workspace=workspace,
            sandbox=sandbox,
            blobs=Blobs(place / "blobs"),
            transcript=transcript,
            user=ScriptedUser(loaded.task, transcript.write),
            process=Process(
                Setting(BINARY, "gpt-5.5", True),
                sandbox,
                workspace.root,
                place / "home",
                place / "meet",
            ),
        )
        transcript.add({"role": "system", "content": agent.prompt}, 0, "system")
        transcript.add({"role": "user", "content": "Go."}, 1, "request")
        try:
            return [await agent.take_turn() for _ in range(count)], transcript
        finally:
            await agent.close()
            await model.close()
            workspace.remove()
            assert not (place / "home").exists()


PATCH = """*** Begin Patch
*** Update File: pkg/alpha.py
@@
-def runAlpha(value):
+def run_alpha(value):
*** Add File: 新/文件.txt
+你好
*** End Patch"""


async def test_what_a_model_does_through_codex_is_read_as_ours(tmp_path: Path) -> None:
    script = Script(
        shell("cat pkg/alpha.py", "cat nowhere.py", "echo 你好; exit 3"),
        {"content": "Now.", "tool_calls": [tool("apply_patch", input=PATCH)]},
        {"tool_calls": [tool("apply_patch", input=PATCH), tool("no_such_tool", a=1)]},
        {"tool_calls": [tool("update_plan", plan=[{"step": "一", "status": "completed"}])]},
    )
    first, second, third, fourth = (await turns(tmp_path, script, 4))[0]
    assert [c.tool for c in first.calls] == ["read_file", "read_file", "run"]
    assert [c.ok for c in first.calls] == [True, False, False] and not first.files
    assert first.calls[0].result == "def runAlpha(value):\n    return value\n"
    assert first.calls[2].result == "你好\nexit code 3\n"
    assert [c.tool for c in second.calls] == ["edit_file", "write_file"] and second.say == "Now."
    assert set(second.files) == {"pkg/alpha.py", "新/文件.txt"}
    assert not third.calls[0].ok and not third.calls[-1].ok and not third.files
    assert fourth.calls[0].args == {"items": [{"text": "一", "status": "done"}]}


async def test_a_question_is_answered_in_the_same_session(tmp_path: Path) -> None:
    script = Script({"content": "Which one first?"}, shell("true"), {"content": "All is done."})
    asked, went_on, last = (found := await turns(tmp_path, script, 3))[0]
    assert asked.calls == () and went_on.calls[0].tool == "run" and last.finished
    said = [content_text(m) for m in script.seen[1]]
    assert said[-2:] == ["Which one first?", NEUTRAL["en"]]
    assert [e["kind"] for e in found[1].events if e["type"] == "answer"] == ["neutral"]


async def test_commands_of_codex_reach_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    listener = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    script = Script(
        shell(
            f"cat {tmp_path}/secret.txt",
            "touch /opt/codex/x",
            f"python -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 3)\"",
            "id -u",
            "env",
        )
    )
    [turn] = (await turns(tmp_path, script, 1))[0]
    listener.close()
    outside, installed, network, user, env = turn.calls
    assert not outside.ok and not installed.ok and not network.ok
    assert user.ok and user.result.strip() != "0" and "SEAMBENCH" not in env.result


async def test_a_codex_that_is_killed_is_an_error_of_the_agent(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="codex ended in a turn"):
        await turns(tmp_path, Script(shell("kill -9 -1")), 1)


async def test_a_model_that_fails_ends_codex_too(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="401"):
        await turns(tmp_path, Script(GatewayError(401, "invalid_api_key", "no key")), 1)
