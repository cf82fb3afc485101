"""Tool schemas, parsing of what models send, and dispatch on a real workspace and sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.build import sandbox_here
from harness.sandbox import Sandbox
from harness.tools import READ_BYTES, apply_edit, dispatch, parse_calls, schemas
from harness.types import ToolCall, ToolResult
from harness.workspace import Workspace

NAMES = ["read_file", "write_file", "edit_file", "run", "update_plan", "ask_user", "finish"]
_BUBBLE = sandbox_here("auto")


@pytest.fixture(
    params=[
        pytest.param(
            "bubblewrap",
            marks=pytest.mark.skipif(_BUBBLE.name != "bubblewrap", reason=_BUBBLE.reason or ""),
        ),
        "plain",
    ]
)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return sandbox_here(request.param)


@pytest.fixture
def plain() -> Sandbox:
    return sandbox_here("plain")


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    files = {"src/x.py": b"a = 1\nb = 1\n", "crlf.txt": b"one\r\ntwo\r\n", "bin": b"\0\1"}
    return Workspace.create(files, tmp_path / "work")


async def use(work: Workspace, sandbox: Sandbox, name: str, **args: Any) -> ToolResult:
    """A call as it comes from a model, through parsing and dispatch."""
    function = {"name": name, "arguments": json.dumps(args)}
    message = {"role": "assistant", "tool_calls": [{"id": "c", "function": function}]}
    (call,) = parse_calls(message)
    return await dispatch(call, work, sandbox)


def parse(name: Any, arguments: Any) -> ToolCall:
    function = {"name": name, "arguments": arguments}
    return parse_calls({"tool_calls": [{"id": "c1", "type": "function", "function": function}]})[0]


def test_schemas() -> None:
    assert [s["function"]["name"] for s in schemas()] == NAMES
    assert [s["function"]["name"] for s in schemas(plan=False)] == [
        n for n in NAMES if n != "update_plan"
    ]
    for schema in schemas():
        parameters = schema["function"]["parameters"]
        assert schema["type"] == "function"
        assert parameters["required"] == list(parameters["properties"])


def test_parse_accepts_text_and_object() -> None:
    expected = ToolCall("c1", "read_file", {"path": "名.py"})
    assert parse("read_file", '{"path": "名.py"}') == expected
    assert parse("read_file", {"path": "名.py"}) == expected
    # Real newlines inside a JSON text are not allowed by the letter, and small models write them.
    assert parse("run", '{"command": "a\nb"}').args == {"command": "a\nb"}


def test_parse_keeps_order_and_ids() -> None:
    calls = [
        {"id": i, "function": {"name": "finish", "arguments": '{"message": ""}'}} for i in "ab"
    ]
    calls.append({"function": {"name": "finish", "arguments": '{"message": ""}'}})
    assert [c.id for c in parse_calls({"tool_calls": calls})] == ["a", "b", "call_2"]
    assert parse_calls({"role": "assistant", "content": "hi"}) == []
    assert parse_calls({"tool_calls": None}) == []


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("read_file", '{"path": ', "not valid JSON"),
        ("read_file", '["x"]', "one JSON object"),
        ("read_file", "", "needs 'path'"),
        ("read_file", None, "needs 'path'"),
        ("read_file", {"path": 3}, "must be a text, not int"),
        ("read_file", {"path": None}, "must be a text, not NoneType"),
        ("read_file", {"path": "a\0b"}, "NUL"),
        ("read_file", {"path": "a", "lines": 3}, "has no 'lines'"),
        ("write_file", '{"path": "a", "content": "\\ud800"}', "surrogate"),
        ("run", {"command": "x" * 40_000}, "over 32768 bytes"),
        ("run", {"command": "😀" * 32_000}, "over 32768 bytes"),
        ("update_plan", {"items": "x"}, "must be a list"),
        ("update_plan", {"items": [{"text": "x"}]}, "needs 'text' and 'status'"),
        ("update_plan", {"items": [{"text": "x", "status": "later"}]}, "todo, doing, done"),
        ("grep", {}, "there is no tool 'grep'; the tools are read_file, write_file, edit_file"),
        (None, {}, "there is no tool ''"),
        ("read_file", "[" * 100_000, "not valid JSON"),
    ],
)
async def test_wrong_calls_come_back_as_errors(
    name: Any, arguments: Any, says: str, work: Workspace, plain: Sandbox
) -> None:
    call = parse(name, arguments)
    assert call.args == {}
    assert call.error is not None
    assert call.error.startswith("error: ")
    assert says in call.error
    assert await dispatch(call, work, plain) == ToolResult(call.error, ok=False)


@pytest.mark.parametrize("calls", ["x", [None], ["x"], [{"function": "x"}], [{"id": 1}]])
def test_nonsense_does_not_raise(calls: Any) -> None:
    assert all(c.error for c in parse_calls({"tool_calls": calls}))


@pytest.mark.parametrize(
    ("text", "old", "says"),
    [
        ("abc", "", "empty"),
        ("abc", "x", "does not occur"),
        ("abab", "ab", "more than once"),
        ("aaa", "aa", "more than once"),
    ],
)
def test_apply_edit_refuses(text: str, old: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        apply_edit(text, old, "new")


def test_apply_edit() -> None:
    assert apply_edit("a b c", "b", "x\\1") == "a x\\1 c"
    assert apply_edit("a b c", " b", "") == "a c"
    with pytest.raises(ValueError, match="the same"):
        apply_edit("a", "a", "a")


@pytest.mark.parametrize("path", ["src/x.py", "./src/x.py", "/work/src/x.py"])
async def test_file_tools(path: str, work: Workspace, plain: Sandbox) -> None:
    assert (await use(work, plain, "read_file", path=path)).text == "a = 1\nb = 1\n"
    edited = await use(work, plain, "edit_file", path=path, old="a = 1", new="a = 二")
    assert edited == ToolResult("edited src/x.py", ok=True)
    assert (work.root / "src" / "x.py").read_text(encoding="utf-8") == "a = 二\nb = 1\n"
    wrote = await use(work, plain, "write_file", path=path, content="one\ntwo")
    assert wrote == ToolResult("wrote src/x.py (2 lines)", ok=True)
    assert list(work.changed()) == ["src/x.py"]
    wrote = await use(work, plain, "write_file", path="new/deep/y.py", content="z\n")
    assert wrote.text == "wrote new/deep/y.py (1 line)"


async def test_line_ends_are_kept(work: Workspace, plain: Sandbox) -> None:
    await use(work, plain, "edit_file", path="crlf.txt", old="two", new="2")
    assert work.read("crlf.txt") == b"one\r\n2\r\n"


@pytest.mark.parametrize(
    ("name", "args", "says"),
    [
        ("read_file", {"path": "none.py"}, "error: none.py does not exist"),
        ("read_file", {"path": "src"}, "error: src is not a file"),
        ("read_file", {"path": "bin"}, "error: bin is not a text file (2 bytes)"),
        ("read_file", {"path": "../x"}, "error: the path leads out of /work: '../x'"),
        ("read_file", {"path": "/etc/passwd"}, "error: not a path inside /work: '/etc/passwd'"),
        ("write_file", {"path": "src", "content": ""}, "error: src is not a file"),
        ("write_file", {"path": "src/x.py/y", "content": ""}, "error: src/x.py/y: "),
        ("write_file", {"path": "out/x", "content": ""}, "error: the path leads out of /work"),
        (
            "edit_file",
            {"path": "src/x.py", "old": "1", "new": "2"},
            "error: src/x.py: the old text",
        ),
        ("edit_file", {"path": "none.py", "old": "1", "new": "2"}, "error: none.py does not exist"),
    ],
)
async def test_file_errors(
    name: str, args: dict[str, str], says: str, work: Workspace, plain: Sandbox, tmp_path: Path
) -> None:
    (work.root / "out").symlink_to(tmp_path)
    work.changed()
    result = await use(work, plain, name, **args)
    assert not result.ok
    assert result.text.startswith(says)
    assert str(tmp_path) not in result.text
    assert work.changed() == {}


async def test_long_files_are_cut_in_the_middle(work: Workspace, plain: Sandbox) -> None:
    content = "first\n" + "中文" * 20_000 + "\nlast\n"
    (work.root / "long.txt").write_text(content, encoding="utf-8")
    shown = (await use(work, plain, "read_file", path="long.txt")).text
    assert shown.startswith("first\n中文")
    assert shown.endswith("中文\nlast\n")
    assert f"[... {len(content.encode()) - READ_BYTES} bytes left out" in shown
    assert "\ufffd" not in shown
    assert len(shown.encode()) < READ_BYTES + 100


async def test_run(work: Workspace, sandbox: Sandbox) -> None:
    result = await use(work, sandbox, "run", command="echo 1 passed in 0.31s; pwd; exit 2")
    assert result.text == "1 passed in 0.00s\n/work\nexit code 2\n"
    assert result.raw is not None
    assert result.raw.startswith("1 passed in 0.31s\n")
    assert not result.ok
    assert result.seconds > 0
    quiet = await use(work, sandbox, "run", command="true")
    assert (quiet.text, quiet.ok) == ("(no output)", True)
    await use(work, sandbox, "run", command="git commit -q --allow-empty -m two; echo 3 > src/x.py")
    assert work.changed().keys() == {"src/x.py"}
    assert len(work.log().splitlines()) == 2
    again = await use(work, sandbox, "edit_file", path="src/x.py", old="3", new="4")
    assert again.ok


async def test_hooks_run_in_the_sandbox_only(
    work: Workspace, sandbox: Sandbox, tmp_path: Path
) -> None:
    hook = "#!/bin/sh\necho ran > ran\n"
    await use(work, sandbox, "write_file", path=".git/hooks/post-commit", content=hook)
    await use(
        work, sandbox, "run", command="chmod +x .git/hooks/*; git commit -q --allow-empty -m 2"
    )
    assert list(work.changed()) == ["ran"]
    (work.root / "ran").unlink()
    for show in (work.status, work.diff, work.log):
        show()
    Workspace.restore(work.freeze(), tmp_path / "again").status()
    assert not (work.root / "ran").exists()


async def test_plan_question_and_finish(work: Workspace, plain: Sandbox) -> None:
    items = [{"text": "one", "status": "done"}, {"text": "二", "status": "todo"}]
    assert (await use(work, plain, "update_plan", items=items)).text == "plan updated (2 items)"
    assert await use(work, plain, "finish", message="ok") == ToolResult("", ok=True)
    assert await use(work, plain, "ask_user", question="?") == ToolResult("", ok=True)
