"""Commands in both sandboxes, run for real. What they must withstand: attacks.py."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sys
from pathlib import Path

import pytest

from harness.build import sandbox_here
from harness.command_text import normalise
from harness.errors import SandboxError, UserError
from harness.sandbox import Sandbox, find_sandbox
from harness.workspace import Workspace

AUTO = sandbox_here("auto")
NEEDS_BWRAP = pytest.mark.skipif(AUTO.name != "bubblewrap", reason=AUTO.reason or "")


@pytest.fixture(params=[pytest.param("bubblewrap", marks=NEEDS_BWRAP), "plain"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return sandbox_here(request.param)


def alive(word: str) -> list[int]:
    """Processes of the machine with `word` among their arguments."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                found.append(int(pid))
        except OSError:
            continue
    return found


def test_choice() -> None:
    plain = find_sandbox("plain")
    assert (plain.name, plain.reason) == ("plain", "plain was asked for")
    with pytest.raises(UserError, match="expected auto, bubblewrap or plain"):
        find_sandbox("docker")


def test_falls_back_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_sandbox().name == "plain"
    assert "not on PATH" in (find_sandbox().reason or "")
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: no namespaces here' >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    assert "no namespaces here" in (find_sandbox().reason or "")
    with pytest.raises(UserError, match="no namespaces here"):
        find_sandbox("bubblewrap")


async def test_python_starts_with_nothing_of_ours(sandbox: Sandbox, tmp_path: Path) -> None:
    """An editable install's hook would be run by, and slow, every Python that a task starts."""
    told = await sandbox.run("python -c 'import sys; print(*sys.modules)'", tmp_path)
    loaded = set(told.text.split())
    assert "os" in loaded and not {"re", "pathlib", "importlib.util"} & loaded


async def test_output_exit_code_and_folder(sandbox: Sandbox, tmp_path: Path) -> None:
    result = await sandbox.run("pwd; echo 二 >&2; echo x > new.txt; exit 3", tmp_path)
    assert (result.exit_code, result.timed_out, result.truncated) == (3, False, False)
    assert result.text == "/work\n二\nexit code 3\n"
    assert (tmp_path / "new.txt").read_text(encoding="utf-8") == "x\n"
    assert (await sandbox.run("true", tmp_path)).text == ""
    assert (await sandbox.run("cd /work && cat /work/new.txt", tmp_path)).text == "x\n"


async def test_signals_and_syntax_errors_are_outcomes(sandbox: Sandbox, tmp_path: Path) -> None:
    assert (await sandbox.run("bash -c 'kill -SEGV $$'", tmp_path)).exit_code == 139
    assert (await sandbox.run("if then", tmp_path)).exit_code == 2
    missing = await sandbox.run("no-such-program", tmp_path)
    assert missing.text == "bash: line 1: no-such-program: command not found\nexit code 127\n"


async def test_environment_is_fixed(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = secrets.token_hex(8)
    for name in ("OPENAI_API_KEY", "PYTHONSTARTUP", "PYTHONPATH", "BASH_ENV", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, secret)
    shown = await sandbox.run("env; cat /proc/self/environ", tmp_path)
    assert secret not in shown.raw
    for line in ("PYTHONHASHSEED=0", "TZ=UTC", "LC_ALL=C.UTF-8", "COLUMNS=100", "HOME=/tmp"):
        assert line in shown.text.splitlines()
    again = await sandbox.run("env; cat /proc/self/environ", tmp_path)
    assert again.text == shown.text


async def test_python_and_pytest_are_the_interpreter_of_the_harness(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    code = "import sys; print(sys.version_info[:3] == {}, sys.flags.hash_randomization)"
    command = f'python -c "{code.format(tuple(sys.version_info[:3]))}"'
    assert (await sandbox.run(command, tmp_path)).text == "True 0\n"
    (tmp_path / "test_x.py").write_text(
        "def test_x(tmp_path):\n    assert str(tmp_path) == 'x'\n", encoding="utf-8"
    )
    first = await sandbox.run("pytest -q", tmp_path)
    assert "1 failed in 0.00s" in first.text
    assert "'/tmp/pytest-of-agent/pytest-0/test_x0'" in first.text
    assert (await sandbox.run("pytest -q", tmp_path)).text == first.text
    assert [p.name for p in tmp_path.iterdir()] == ["test_x.py"]


async def test_commits_are_the_same_everywhere(sandbox: Sandbox, tmp_path: Path) -> None:
    command = "git init -q -b main . && echo a > a && git add a && git commit -qm one && git log -1"
    result = await sandbox.run(command, tmp_path)
    assert result.text.startswith("commit dae7fb2b3dedc84d")
    assert "Author: agent <agent@example.invalid>" in result.text
    again = tmp_path / "again"
    again.mkdir()
    assert (await sandbox.run(command, again)).text == result.text


async def test_timeout_kills_what_ignores_sigterm(sandbox: Sandbox, tmp_path: Path) -> None:
    mark = f"9{secrets.randbelow(10**8)}"
    command = f"trap '' TERM INT HUP; echo begun; sleep {mark} & sleep {mark}; sleep {mark}"
    result = await sandbox.run(command, tmp_path, timeout_s=0.5)
    assert (result.exit_code, result.timed_out) == (124, True)
    assert result.text == "begun\ntimed out after 0.5 s\n"
    assert alive(mark) == []


async def test_cancelling_kills_the_command(sandbox: Sandbox, tmp_path: Path) -> None:
    mark = f"9{secrets.randbelow(10**8)}"
    task = asyncio.create_task(sandbox.run(f"touch begun; sleep {mark}", tmp_path))
    while not (tmp_path / "begun").exists():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert alive(mark) == []


async def test_output_flood_is_bounded(sandbox: Sandbox, tmp_path: Path) -> None:
    result = await sandbox.run("echo first; yes | head -c 50000000; echo last", tmp_path)
    assert result.truncated
    assert len(result.raw) < 66_000
    assert result.text.startswith("first\ny\n")
    assert result.text.endswith("y\nlast\n")
    left_out = 50_000_000 + len("first\nlast\n") - len(result.raw)
    assert re.search(rf"\[\.\.\. {left_out // 100}\d\d bytes left out \.\.\.\]", result.text)


async def test_output_just_below_the_bound_is_whole(sandbox: Sandbox, tmp_path: Path) -> None:
    result = await sandbox.run("head -c 65000 /dev/zero | tr '\\0' x", tmp_path)
    assert (result.truncated, result.text) == (False, "x" * 65000)


DEEPER = "import os\nfor _ in range(1100):\n    os.mkdir('dddd')\n    os.chdir('dddd')"


async def test_a_workspace_that_locks_itself(sandbox: Sandbox, tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "locked" / "inner").mkdir(parents=True)
    try:
        command = f'python -c "{DEEPER}"; chmod 000 locked . && echo locked'
        assert (await sandbox.run(command, work)).text == "locked\n"
        assert (await sandbox.run("echo still here", work)).text == "still here\n"
        watched = Workspace(work)
        assert watched.changed() == {}
        watched.freeze()
    finally:
        Workspace(work).remove()
    assert not work.exists()


async def test_commands_of_one_folder_wait_for_each_other(sandbox: Sandbox, tmp_path: Path) -> None:
    command = "test ! -e busy && touch busy && sleep 0.05 && rm busy"
    results = await asyncio.gather(*(sandbox.run(command, tmp_path) for _ in range(4)))
    assert [r.exit_code for r in results] == [0, 0, 0, 0]


async def test_extra_binds(tmp_path: Path) -> None:
    work, hidden = tmp_path / "work", tmp_path / "hidden"
    work.mkdir()
    hidden.mkdir()
    (hidden / "answer").write_text("42", encoding="utf-8")
    hidden.chmod(0o755)
    (hidden / "answer").chmod(0o644)
    if AUTO.name == "bubblewrap":
        bind = [(hidden, "/mnt/deep/hidden")]
        shown = await AUTO.run("cat /mnt/deep/hidden/answer", work, extra_binds=bind)
        assert shown.text == "42"
        bad = await AUTO.run("echo > /mnt/deep/hidden/answer", work, extra_binds=bind)
        assert bad.exit_code != 0
        with pytest.raises(SandboxError, match="did not start"):
            await AUTO.run("true", work, extra_binds=[(tmp_path / "none", "/mnt/none")])
    with pytest.raises(SandboxError, match="copy"):
        await find_sandbox("plain").run("true", work, extra_binds=[(hidden, "/mnt/x")])


async def test_a_missing_folder_is_the_sandboxes_error(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(SandboxError):
        await sandbox.run("true", tmp_path / "missing")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("3 passed in 0.03s", "3 passed in 0.00s"),
        ("1 failed in 65.12s (0:01:05)", "1 failed in 0.00s"),
        ("Ran 3 tests in 0.003s\n", "Ran 3 tests in 0.00s\n"),
        ("real\t0m1.234s\nuser\t0m0.001s", "real\t0m0.000s\nuser\t0m0.000s"),
        ("took 0.0031 s", "took 0.000 s"),
        ("(12ms)", "(0.00ms)"),
        ("timeout of 2.5 s, or 30s", "timeout of 2.5 s, or 30s"),
        ("<A object at 0x7f12ab34cd56>", "<A object at 0x0>"),
        ("\x1b[31mred\x1b[0m \x1b]0;title\x07plain\0\x9b1m", "red plain"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ 中文", "link 中文"),
        ("50%\r100%\r\ndone", "50%\n100%\ndone"),
        ("/tmp/ws/a /tmp/ws1/a (/tmp/ws) /tmp/ws.", "/work/a /tmp/ws1/a (/work) /work."),
    ],
)
def test_normalise(raw: str, shown: str) -> None:
    assert normalise(raw, {"/tmp/ws": "/work"}) == shown
