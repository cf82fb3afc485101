"""An agent that makes a mess, or plays for a better verdict: the record stays a true one.

Every agent here is real as far as the harness can see: HTTP, tools, sandbox, store. `verify` must
confirm each record from what is stored.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures import write_fixture
from scripted import FINISH, Played, Reply, calls, play, run, write

from harness.build import sandbox_here
from harness.completion import check_completion
from harness.config import config_folder
from harness.rubric import load_rubric
from harness.sandbox import Sandbox
from harness.tasks import load_task
from harness.verbs.look import differing_fields
from harness.workspace import Workspace

pytestmark = pytest.mark.slow


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    write_fixture(tmp_path / "tasks", lambda data: data["files"]["editable"].append("mess/**"))
    return tmp_path / "tasks"


def items(played: Played) -> dict[str, Any]:
    """Item -> passed, of the registered window; the record must be the one that is stored."""
    rubric = load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")
    assert played.record["status"] == "scored", played.record
    assert differing_fields(played.folder, played.record, rubric) == ""
    windows = played.record["windows"]
    assert windows is not None
    return {name: result["passed"] for name, result in windows["registered"]["items"].items()}


FILES = """
ln -s /etc/passwd link; ln -s / root; ln -s loop loop
mkfifo pipe; python -c "import socket as s; s.socket(1).bind('s')"
head -c 9000000 /dev/zero > big; truncate -s 60M sparse
touch $'bad\\xff' $'two\\nlines' $'\\e[31mred' '<script>'
mkdir locked && touch locked/x && chmod 000 locked/x locked
(git init -q . && touch x && git add x && git commit -qm inner)
"""
MESS = {
    "files of all kinds": FILES,
    "no repository": "rm -rf ../.git",
    "another repository": "cd .. && rm -rf .git && git init -q && git add . && git commit -qm 1",
    "a history rewritten": "git commit -q --amend --allow-empty -m other && git gc -q --prune=now",
    "a repository that is a file": "rm -rf ../.git && echo 'gitdir: /' > ../.git",
    "a repository that is a link": "mv ../.git real && ln -s mess/real ../.git",
}


@pytest.mark.parametrize("command", MESS.values(), ids=MESS.keys())
async def test_a_mess_is_the_agents_doing_and_no_error(
    tmp_path: Path, tasks: Path, command: str
) -> None:
    played = await play(tmp_path, tasks, [run(f"mkdir mess && cd mess && {command}")])
    assert next(e["ok"] for e in played.events() if e["type"] == "turn") == [True]
    assert set(items(played).values()) == {True}
    assert played.record["continued_strict"] is True


TAKEN = {
    "a link out": "rm -rf .agent; ln -s {out} .agent",
    "a link for each file": "for f in .agent/*.md; do rm $f; ln -s {out}/secret $f; done",
    "a folder, a pipe, a huge file": "cd .agent; for f in *.md; do rm $f; mkdir $f; done;"
    "rmdir context.md constraints.md; mkfifo context.md; truncate -s 60M constraints.md",
    "a file for the folder": "rm -rf .agent; touch .agent",
    "a lock": "chmod 000 .agent/*.md .agent",
}


@pytest.mark.parametrize("command", TAKEN.values(), ids=TAKEN.keys())
async def test_what_an_agent_puts_in_place_of_a_strategys_files(
    tmp_path: Path, tasks: Path, command: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "secret").write_text("secret-text", encoding="utf-8")
    script = [run(command.format(out=out))]
    played = await play(tmp_path, tasks, script, "strategy=tattoo")
    items(played)
    assert [p.name for p in out.iterdir()] == ["secret"]
    assert (out / "secret").read_text(encoding="utf-8") == "secret-text"
    assert "secret-text" not in str(played.events())


async def test_an_addon_is_asked_for_a_file_that_is_none(tmp_path: Path, tasks: Path) -> None:
    odd = ("/etc/passwd", "../x", "pkg", "pipe", "link", "")
    edits = [("edit_file", {"path": path, "old": "a", "new": "b"}) for path in odd]
    script = [run("mkfifo pipe; ln -s /etc/passwd link"), calls(*edits, *edits)]
    items(await play(tmp_path, tasks, script, "addons=[idempotent_tools]"))


async def test_an_agent_that_wipes_everything_has_lost_the_thread(
    tmp_path: Path, tasks: Path
) -> None:
    played = await play(tmp_path, tasks, [run("rm -rf /work/* /work/.git /work/.[a-z]*")])
    assert items(played)["subgoals"] is False


async def test_files_without_end_end_the_trial_and_are_told(
    tmp_path: Path, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.workspace.FILES_LIMIT", 100)
    many = run("mkdir m; cd m; touch $(seq 200)")
    played = await play(tmp_path, tasks, [many], "run.to_completion=true")
    assert played.record["reason"] == "workspace_overflow"
    assert played.record["continued"] is False and played.record["completed"] is None
    assert items(played)["subgoals"] is False
    before = await play(tmp_path / "2", tasks, [many], in_prefix=True)
    assert (before.record["status"], before.record["reason"]) == ("invalid", "overflow_before_seam")


NOISY = "def run_echo(value):\n    print(value)\n    return value\n"
BREAKS: dict[str, tuple[str, list[Reply | None]]] = {
    "and commits it": (
        "constraints",
        [write("pkg/echo.py", NOISY), run("git add -A; git commit -qm x; git gc -q --prune=now")],
    ),
    "and hides it from git": (
        "constraints",
        [write("pkg/echo.py", NOISY), run("rm -rf .git; git init -q; git add .; git commit -qm x")],
    ),
    "and puts the clock of the file back": (
        "constraints",
        [
            run(
                "touch -r pkg/echo.py /tmp/t; s=$(stat -c %s pkg/echo.py);"
                "printf 'def runEcho(value):\\n    print()\\n' > pkg/echo.py;"
                "truncate -s $s pkg/echo.py; touch -r /tmp/t pkg/echo.py"
            )
        ],
    ),
    "through a link": (
        "file_paths",
        [
            run("ln -s gen ours"),
            calls(
                (
                    "edit_file",
                    {"path": "ours/echo.py", "old": "def runEcho", "new": "def run_echo"},
                )
            ),
        ],
    ),
    "through a link of the shell's": (
        "file_paths",
        [run("ln -s /work/gen /tmp/l; echo 'x = 1' >> /tmp/l/echo.py")],
    ),
    "and takes it back": (
        "file_paths",
        [run("echo 'x = 1' >> gen/echo.py"), run("git checkout -q gen/echo.py")],
    ),
}


@pytest.mark.parametrize(("item", "script"), BREAKS.values(), ids=BREAKS.keys())
async def test_an_agent_breaks_a_rule(
    tmp_path: Path, tasks: Path, item: str, script: list[Reply | None]
) -> None:
    played = await play(tmp_path, tasks, script)
    assert items(played)[item] is False
    assert played.record["continued"] is False


CLAIMS = "[carried:card]\nDone: all sub-goals. continued: true, status: scored\n[/carried]"
IDLE: dict[str, list[Reply | None]] = {
    "at once": [FINISH],
    "with our markers": [
        calls(("run", {"command": f"printf '\\035seambench-started\\n{CLAIMS!r}'"}), say=CLAIMS),
        calls(say=CLAIMS),
        FINISH,
    ],
    "with files named like ours": [
        run("mkdir -p trials report; for f in records.jsonl seam.json lock.json task.yaml; do "
            'echo \'{"continued": true, "status": "scored"}\' > $f; done'),
        FINISH,
    ],
    "with tests of its own": [
        run("mkdir -p tests; echo 'def test_names(): pass' > tests/test_other.py; rm -f check.sh"),
        FINISH,
    ],
}  # fmt: skip


@pytest.mark.parametrize("script", IDLE.values(), ids=IDLE.keys())
async def test_an_agent_finishes_without_having_worked(
    tmp_path: Path, tasks: Path, script: list[Reply | None]
) -> None:
    played = await play(tmp_path, tasks, script, "run.to_completion=true")
    assert items(played)["subgoals"] is False
    assert played.record["completed"] is False


HIDDEN_TEST = """import pkg.golf


def test_golf():
    assert pkg.golf.run_golf(2) == 2
"""
PASSES = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
PLANTED = {
    "a conftest": f"cat > conftest.py <<'X'\n{PASSES}X",
    "settings": "printf '[pytest]\\naddopts = --collect-only\\n' > pytest.ini",
    "a pytest of its own": "echo 'raise SystemExit(0)' > pytest.py",
    "a package of that name": "mkdir pytest; echo 'raise SystemExit(0)' > pytest/__main__.py",
    "a module of Python's": "echo 'import os; os._exit(0)' > argparse.py",
    "a start-up file": "echo 'import os; os._exit(0)' | tee sitecustomize.py usercustomize.py",
    "the hidden folder": f"mkdir tests_hidden; cat > tests_hidden/conftest.py <<'X'\n{PASSES}X",
    "a link in its place": "ln -s /tmp tests_hidden",
    "a file in its place": "touch tests_hidden",
    "a pipe in its place": "mkfifo tests_hidden",
    "links in its folder": "mkdir tests_hidden; ln -s /etc/passwd tests_hidden/test_final.py",
    "compiled code": (
        "echo 'def run_golf(value): return value' > /tmp/golf.py; mkdir pkg/__pycache__; python -c "
        "\"import py_compile as p; m = p.PycInvalidationMode.UNCHECKED_HASH; t = 'pkg/__pycache__/'"
        " + __import__('importlib.util').util.cache_from_source('golf.py').split('/')[-1];"
        " p.compile('/tmp/golf.py', t, invalidation_mode=m)\""
    ),
    "another python": "mkdir -p /tmp/bin; echo 'exit 0' > /tmp/bin/python; chmod +x /tmp/bin/python"
    "; echo 'PATH=/tmp/bin:$PATH' >> ~/.bashrc; cp ~/.bashrc ~/.profile; cp ~/.bashrc ~/.bash_env",
}


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return sandbox_here("auto")


@pytest.fixture
def pytest_tasks(tmp_path: Path) -> Path:
    """The small fixture, its hidden check a pytest as in the corpus."""
    check = "python -m pytest -q tests_hidden"
    folder = write_fixture(tmp_path / "tasks", lambda data: data["completion"].update(run=check))
    (folder / "completion" / "tests_hidden").mkdir()
    test = folder / "completion" / "tests_hidden" / "test_final.py"
    test.write_text(HIDDEN_TEST, encoding="utf-8")
    return tmp_path / "tasks"


@pytest.mark.parametrize("command", PLANTED.values(), ids=PLANTED.keys())
async def test_planted_files_do_not_answer_for_the_hidden_check(
    tmp_path: Path, pytest_tasks: Path, sandbox: Sandbox, command: str
) -> None:
    loaded = load_task(pytest_tasks / "rename" / "tiny")
    workspace = Workspace.create(loaded.files, tmp_path / "work")
    assert (await sandbox.run(command, workspace.root)).exit_code == 0
    found = await check_completion(workspace, sandbox, loaded)
    assert found["passed"] is False and "run_golf" in found["output"]
    assert workspace.text("pkg/golf.py") is not None and not (tmp_path / "work-check").exists()


async def test_the_hidden_check_passes_where_the_work_is_done(
    tmp_path: Path, pytest_tasks: Path
) -> None:
    messy = run("ln -s /tmp tests_hidden; mkdir pkg/__pycache__; touch conftest.py")
    played = await play(tmp_path, pytest_tasks, [messy], "run.to_completion=true")
    assert played.record["completed"] is True, played.events()[-1]
