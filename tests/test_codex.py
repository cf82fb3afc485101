"""Codex's tools, its front and what it cannot take on: all that needs no Codex."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from harness.codex import relay
from harness.codex.agent import summary_text, with_put_in
from harness.codex.fit import require_fit
from harness.codex.front import Asked, Front
from harness.codex.patch import FileChange, edit_patch, patch_of, read_patch
from harness.codex.process import find_codex
from harness.codex.rollout import compactions, has_outputs, newest_thread
from harness.codex.tools import is_context, our_message, ours, result_of, steady
from harness.config import load_config
from harness.errors import InvalidTrial, UserError
from harness.task_model import Call
from harness.tasks import load_task
from harness.text import carried
from harness.types import Usage
from harness.worker.codex_tools import from_codex, to_codex
from harness.worker.policy import Decision, Parameters, Worker
from tests.fixtures import small_task

ROOT = Path(__file__).resolve().parents[1]
TEXT = "one\ntwo = 2\n三 = 3\nfour\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("two", "zwei"),
        ("two = 2\n", ""),
        ("two = 2\n三", "二"),
        ("三 = 3", "三 = 30\n  more"),
        ("one\n", "one"),
        ("four\n", "four\nfive\n"),
    ],
)
def test_a_patch_of_whole_lines_makes_the_same_edit(old: str, new: str) -> None:
    [change] = read_patch(edit_patch("a.py", TEXT, old, new) or "")
    assert change.path == "a.py"
    assert TEXT.replace(change.before or "", change.after or "") == TEXT.replace(old, new)


@pytest.mark.parametrize("old", ["missing", "o", ""])
def test_no_patch_where_the_old_text_is_not_there_once(old: str) -> None:
    assert edit_patch("a.py", TEXT, old, "new") is None


def test_no_patch_where_a_line_would_have_no_end() -> None:
    assert edit_patch("a.py", "one\ntwo", "two", "zwei") is None


def test_a_patch_of_several_files_is_read_in_order() -> None:
    text = (
        "*** Begin Patch\n*** Update File: a.py\n@@ def f\n a\n-b\n+B\n\n@@\n-c\n+C\n"
        "*** Add File: n/新.txt\n+x\n+\n*** Delete File: d.py\n"
        "*** Update File: old.py\n*** Move to: new.py\n*** End Patch"
    )
    assert read_patch(text) == [
        FileChange("a.py", "a\nb\n\n", "a\nB\n\n"),
        FileChange("a.py", "c\n", "C\n"),
        FileChange("n/新.txt", None, "x\n\n"),
        FileChange("d.py", "", None),
        FileChange("old.py", "", "", moved="new.py"),
    ]


@pytest.mark.parametrize("text", ["", "*** Begin Patch", "*** Begin Patch\nnoise\n*** End Patch"])
def test_what_is_no_patch_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match="patch"):
        read_patch(text)


def command(cmd: str, **more: Any) -> str:
    return json.dumps({"cmd": cmd, **more})


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("exec_command", command("make test"), [("run", {"command": "make test"})]),
        ("exec_command", command("cat a/b.py"), [("read_file", {"path": "a/b.py"})]),
        (
            "exec_command",
            command("cat '/work/a b.py'"),
            [("run", {"command": "cat '/work/a b.py'"})],
        ),
        ("exec_command", command("cat /work/a.py"), [("read_file", {"path": "a.py"})]),
        ("exec_command", command("cat *.py"), [("run", {"command": "cat *.py"})]),
        ("exec_command", command("ls", workdir="sub"), [("run", {"command": "cd sub && ls"})]),
        ("exec_command", command("ls", workdir="/work"), [("run", {"command": "ls"})]),
        (
            "update_plan",
            json.dumps({"plan": [{"step": "一", "status": "in_progress"}]}),
            [("update_plan", {"items": [{"text": "一", "status": "doing"}]})],
        ),
        (
            "view_image",
            '{"path": "x"}',
            [("run", {"command": ': codex view_image \'{"path": "x"}\''})],
        ),
        ("exec_command", "not json", [("run", {"command": ": codex exec_command 'not json'"})]),
        (
            "apply_patch",
            '{"input": "no"}',
            [("run", {"command": ': codex apply_patch \'{"input": "no"}\''})],
        ),
    ],
)
def test_calls_of_codex_in_our_tools(name: str, arguments: str, expected: Any) -> None:
    assert ours(name, arguments) == expected


HEAD = "Chunk ID: e1\nWall time: 0.3 seconds\n"


@pytest.mark.parametrize(
    ("output", "text", "ok"),
    [
        (f"{HEAD}Process exited with code 0\nOriginal token count: 2\nOutput:\nhi\n", "hi\n", True),
        (f"{HEAD}Process exited with code 0\nOutput:\n", "(no output)", True),
        (f"{HEAD}Process exited with code 2\nOutput:\n没有", "没有\nexit code 2\n", False),
        (
            f"{HEAD}Process running with session ID 7\nOutput:\n",
            "still running (session 7)\n",
            True,
        ),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n", "Success.\n", True),
        (
            "apply_patch verification failed: no",
            "error: apply_patch verification failed: no",
            False,
        ),
        ("Plan updated", "Plan updated", True),
        ("", "error: ", False),
    ],
)
def test_results_of_codex_in_our_form(output: str, text: str, ok: bool) -> None:
    result = result_of(output)
    assert (result.text, result.ok, result.raw) == (text, ok, output)


def call(name: str, arguments: Any, call_id: str = "c") -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": call_id, "type": "function", "function": function}


HEAD = "Chunk ID: {}\nWall time: {} seconds\n{}\nOriginal token count: {}\nOutput:\n{}"
EXIT = "Process exited with code 0"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            ("07a82c", "0.0", EXIT, 9, "3 passed in 0.9s\n"),
            ("f3", "11.5", EXIT, 10, "3 passed in 11.5s\n"),
            True,
        ),
        (("07a82c", "0.0", EXIT, 9, "三 = 3\n"), ("07a82c", "0.0", EXIT, 9, "三 = 4\n"), False),
        (("a", "0.1", EXIT, 9, ""), ("a", "0.1", "Process exited with code 1", 9, ""), False),
        (("a", "9", EXIT, 9, ""), ("a", "9", "Process running with session ID 7", 9, ""), False),
        (("a", "1", EXIT, 1, "Chunk ID: 1\n"), ("a", "1", EXIT, 1, "Chunk ID: 2\n"), False),
    ],
)
def test_what_of_a_result_is_the_same_in_another_run(one: Any, other: Any, same: bool) -> None:
    for entry, name in (
        ({"role": "tool", "tool_call_id": "c"}, "content"),
        ({"type": "function_call_output", "call_id": "c"}, "output"),
    ):
        found = [steady({**entry, name: HEAD.format(*result)}) for result in (one, other)]
        assert (found[0] == found[1]) is same


def test_the_date_is_not_on_a_tape_and_words_stay_as_they_are() -> None:
    told = "<environment_context>\n  <cwd>/work</cwd>\n  <current_date>{}</current_date>\n"
    days = [{"role": "user", "content": told.format(day)} for day in ("2026-01-01", "2027-02-02")]
    assert steady(days[0]) == steady(days[1]) != steady({"role": "user", "content": "/work"})
    for content in ("It took 3.25 s; 用时 3.25 s.", None, [{"type": "text", "text": "in 3 s"}]):
        message = {"role": "user", "content": content}
        assert steady(message) == message
    patched = "Exit code: 1\nWall time: {} seconds\nOutput:\nno\n"
    made = [steady({"role": "tool", "content": patched.format(n)}) for n in (0, 7)]
    assert made[0] == made[1] and made[0]["content"].startswith("Exit code: 1\n")


def test_a_patch_of_two_files_becomes_two_calls_with_one_result() -> None:
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Add File: b\n+y\n*** End Patch"
    reply = {
        "role": "assistant",
        "content": "Now.",
        "tool_calls": [call("apply_patch", {"input": patch})],
    }
    message, results = our_message(reply, {"c": "Exit code: 0\nOutput:\nSuccess.\n"}, "call_4")
    names = [c["function"]["name"] for c in message["tool_calls"]]
    assert names == ["write_file", "write_file"] and message["content"] == "Now."
    assert list(results) == ["call_4_0", "call_4_1"] and all(r.ok for r in results.values())


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("All steps are done.", True),
        ("都做完了。", True),
        ("Shall all be done?", False),
        ("Hm.", False),
    ],
)
def test_a_last_word_that_all_is_done_is_our_finish(text: str, finished: bool) -> None:
    message, _ = our_message({"role": "assistant", "content": text}, {}, "call_1")
    assert bool(message.get("tool_calls")) == finished and message["content"] == text


def test_a_failed_cat_is_an_error_of_reading() -> None:
    reply = {
        "role": "assistant",
        "content": None,
        "tool_calls": [call("exec_command", {"cmd": "cat x"})],
    }
    output = "Process exited with code 1\nOutput:\ncat: x: No such file\n"
    _, results = our_message(reply, {"c": output}, "call_1")
    [result] = results.values()
    assert result.text.startswith("error: cat: x") and not result.ok


@pytest.fixture
def worker(tmp_path: Path) -> Worker:
    return Worker(small_task(tmp_path).task, 0, detours=False, habits=Parameters())


@pytest.mark.parametrize("how", ["read", "skill", "script"])
@pytest.mark.parametrize("which", ["alpha", "changelog", "test"])
def test_the_worker_knows_its_edits_again(
    worker: Worker, tmp_path: Path, which: str, how: str
) -> None:
    root = tmp_path / "rename" / "tiny" / "repo"
    edit = worker.task.subgoal(which).edits[0].call()
    file = root / edit.args["path"]
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    seen: list[Any] = [{"role": "user", "content": "Go."}]
    if how == "read" and text:
        read = call("exec_command", {"cmd": f"cat {edit.args['path']}"}, "r")
        output = f"Process exited with code 0\nOutput:\n{text}"
        seen.append({**said(None), "tool_calls": [read]})
        seen.append({"role": "tool", "tool_call_id": "r", "content": output})
    files = {edit.args["path"]: text.encode()} if how == "skill" and text else {}
    made = to_codex(Decision("Now.", [edit]), from_codex(seen, worker), worker.task, files)
    patched = how != "script" or which == "test"
    [theirs] = made.calls
    assert theirs.tool == ("apply_patch" if patched else "exec_command")
    answer = "Exit code: 0\nOutput:\nSuccess.\n"
    if not patched:  # the script does what it says, and says what it cannot do
        expected = text.replace(edit.args["old"], edit.args["new"])
        assert shell(theirs.args["cmd"], root) == (0, "")
        assert file.read_text(encoding="utf-8") == expected
        if which == "alpha":
            assert shell(theirs.args["cmd"], root)[0] == 1
        answer = "Process exited with code 0\nOutput:\n"
    seen.append({**said("Now."), "tool_calls": [call(theirs.tool, theirs.args, "e")]})
    seen.append({"role": "tool", "tool_call_id": "e", "content": answer})
    last = from_codex(seen, worker)[-2]["tool_calls"][0]["function"]
    assert (last["name"], json.loads(last["arguments"])) == (edit.tool, edit.args)


def test_a_wrong_guess_is_a_patch_that_codex_refuses(worker: Worker) -> None:
    read = call("exec_command", {"cmd": "cat pkg/alpha.py"}, "r")
    seen = [
        {**said(None), "tool_calls": [read]},
        {
            "role": "tool",
            "tool_call_id": "r",
            "content": "Process exited with code 0\nOutput:\nx = 1\n",
        },
    ]
    guess = Call(tool="edit_file", args={"path": "pkg/alpha.py", "old": "y = 1", "new": "z"})
    [made] = to_codex(Decision("", [guess]), from_codex(seen, worker), worker.task).calls
    assert made.tool == "apply_patch"
    assert read_patch(made.args["input"]) == [FileChange("pkg/alpha.py", "y = 1\n", "z\n")]


@pytest.mark.parametrize("name", ["rename/humanize_units", "rename/cachetools_slots"])
def test_where_scripts_are_forbidden_every_edit_is_a_patch(name: str) -> None:
    loaded = load_task(ROOT / "tasks" / name)
    for subgoal in loaded.task.subgoals:
        calls = [edit.call() for edit in subgoal.edits if edit.run is None]
        made = to_codex(Decision("", calls), [], loaded.task, loaded.files)
        assert {c.tool for c in made.calls} == {"apply_patch"}, subgoal.id


def said(text: str | None) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def shell(cmd: str, folder: Path) -> tuple[int, str]:
    done = subprocess.run(["bash", "-c", cmd], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_the_worker_asks_in_words_and_takes_the_answer(worker: Worker) -> None:
    lost = [
        {"role": "user", "content": "<environment_context>\n  x"},
        {"role": "user", "content": "Hi."},
    ]
    decision = worker.decide(from_codex(lost, worker), ["exec_command"])
    asked = to_codex(decision, lost, worker.task)
    assert asked.calls == [] and asked.say.endswith("?")
    seen = from_codex([*lost, said(asked.say), {"role": "user", "content": "As agreed."}], worker)
    assert [m["role"] for m in seen] == ["user", "assistant", "tool"]
    assert seen[-1]["content"] == "As agreed."


def test_context_of_codex_is_nobodys_words() -> None:
    for text in (
        "<environment_context>\n<cwd>",
        "<turn_aborted>\nThe user",
        "<skills_instructions>",
    ):
        assert is_context({"role": "user", "content": text})
    assert not is_context({"role": "user", "content": "<b>bold</b> please"})


HISTORY = [
    {"role": "system", "content": "P"},
    {"role": "user", "content": "Do it."},
    {"role": "assistant", "content": "Done: a."},
]


def test_a_strategys_text_is_the_summary() -> None:
    card = carried("card", "MUST: keep b")
    view = [HISTORY[0], {"role": "user", "content": f"{card}\n\nPlease continue."}]
    assert summary_text(view, HISTORY, "Please continue.") == card
    assert summary_text([*view, HISTORY[1]], HISTORY, "Please continue.").startswith(card)
    assert summary_text([HISTORY[0]], HISTORY, "Please continue.") == ""
    for kept in ([HISTORY[2]], [{"role": "assistant", "content": "new"}]):
        with pytest.raises(InvalidTrial):
            summary_text([*view, *kept], HISTORY, "Please continue.")


def test_what_is_put_in_reaches_the_request() -> None:
    asked = [{"role": "system", "content": "Codex's own"}, {"role": "user", "content": "ctx"}]
    note = {"role": "user", "content": "note"}
    known = HISTORY[:2]
    assert with_put_in(asked, known, [*known, note]) == [*asked, note]
    shown = [{"role": "system", "content": "P\n\nrules"}, known[1]]
    assert with_put_in(asked, known, shown)[0]["content"] == "Codex's own\n\nrules"
    with pytest.raises(InvalidTrial):
        with_put_in(asked, known, [known[0], note])


def test_a_session_file_that_is_being_written() -> None:
    rows = [
        ("response_item", {"type": "function_call_output", "call_id": "a"}),
        ("compacted", {"message": "M"}),
    ]
    text = "".join(json.dumps({"type": t, "payload": p}) + "\n" for t, p in rows)
    content = (text + '{"type": "response_item", "payl').encode()
    assert has_outputs(content, ["a"]) and not has_outputs(content, ["a", "b"])
    assert compactions(content) == [{"message": "M"}]
    name = "rollout-2026-11-30T08-0{}-00-01a22b7c-5d62-7723-b6c5-b8714032{}.jsonl"
    newest = newest_thread([name.format(2, "aaaa"), name.format(1, "bbbb")])
    assert newest == "01a22b7c-5d62-7723-b6c5-b8714032aaaa"


def body(kind: str = "turn", **more: Any) -> dict[str, Any]:
    turn = json.dumps({"request_kind": kind})
    told = {"thread_id": "t", "x-codex-turn-metadata": turn}
    return {"model": "m", "stream": True, "input": "Go.", "client_metadata": told, **more}


async def post(front: Front, path: Path, data: Any, token: str | None = None) -> tuple[int, str]:
    connector = aiohttp.UnixConnector(str(path))
    headers = {"Authorization": f"Bearer {token or front.token}"}
    async with (
        aiohttp.ClientSession(connector=connector, headers=headers) as session,
        session.post("http://front/v1/responses", json=data) as response,
    ):
        return response.status, await response.text()


async def test_a_request_waits_for_its_answer(tmp_path: Path) -> None:
    front = Front()
    await front.start(tmp_path / "s")
    waiting = asyncio.create_task(post(front, tmp_path / "s", body()))
    asked: Asked = await asyncio.wait_for(front.asked.get(), 5)
    assert (asked.kind, asked.thread) == ("turn", "t") and not waiting.done()
    asked.answer({"role": "assistant", "content": "好"}, Usage(5, 0, 2))
    status, text = await waiting
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    assert status == 200 and events[-1]["type"] == "response.completed"
    assert events[-1]["response"]["usage"]["total_tokens"] == 7
    assert any(e["type"] == "response.output_item.done" and "好" in str(e) for e in events)
    await front.stop()


async def test_an_ended_turn_says_nothing(tmp_path: Path) -> None:
    front = Front()
    await front.start(tmp_path / "s")
    waiting = asyncio.create_task(post(front, tmp_path / "s", body()))
    (await front.asked.get()).end_turn(Usage(1, 0, 0))
    assert "output_item" not in (await waiting)[1]
    await front.stop()


@pytest.mark.parametrize(
    ("data", "token", "status"),
    [(body(), "wrong", 401), (body("startup"), None, 400), ({"model": "m"}, None, 400)],
)
async def test_what_is_no_request_of_this_trial_is_refused(
    tmp_path: Path, data: Any, token: str | None, status: int
) -> None:
    front = Front()
    await front.start(tmp_path / "s")
    assert (await post(front, tmp_path / "s", data, token))[0] == status
    assert front.asked.empty()
    await front.stop()


async def test_the_relay_carries_both_ways_and_ends_with_its_command(tmp_path: Path) -> None:
    front = Front()
    await front.start(tmp_path / "s")
    script = (
        "import sys, urllib.request as u\n"
        f"r = u.Request('http://127.0.0.1:18417/v1/responses', {json.dumps(body()).encode()!r},"
        f" {{'Authorization': 'Bearer {front.token}'}})\n"
        "sys.exit(b'response.completed' in u.urlopen(r).read() and 7)\n"
    )
    command = [sys.executable, relay.__file__, str(tmp_path / "s"), "18417", sys.executable, "-c"]
    process = await asyncio.create_subprocess_exec(*command, script)
    (await asyncio.wait_for(front.asked.get(), 20)).answer(said("ok"), Usage(1, 0, 1))
    assert await asyncio.wait_for(process.wait(), 20) == 7
    await front.stop()


def test_an_absent_codex_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="make codex"):
        find_codex(tmp_path)


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("strategy=recent_n", "recent_n keeps messages"),
        ("strategy=iterative", "iterative keeps messages"),
        ("strategy=wipe", "wipe keeps messages"),
        ("addons=[idempotent_tools]", "refuses tool calls"),
        ("seam.count=5", "seam.count can be 4"),
    ],
)
def test_what_codex_cannot_take_on_is_told_before_a_run(
    override: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.codex.fit.find_codex", lambda: Path())
    with pytest.raises(UserError, match=told):
        require_fit(load_config(["agent=codex", override])[0])


@pytest.mark.parametrize(
    "name", ["bare", "engram", "long_mem", "combined", "user_turns", "codex_handoff", "tattoo"]
)
def test_strategies_that_write_text_fit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.codex.fit.find_codex", lambda: Path())
    require_fit(load_config(["agent=codex", f"strategy={name}"])[0])


def test_new_files_are_patches_too() -> None:
    assert read_patch(patch_of(FileChange("a", None, "x\n"))) == [FileChange("a", None, "x\n")]
    assert read_patch(patch_of(FileChange("a", "", None))) == [FileChange("a", "", None)]
