"""Text of models, tasks and files is shown on terminal and pages, and never obeyed."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from fixtures import write_fixture
from hypothesis import given
from hypothesis import strategies as st
from scripted import FINISH, Played, calls, play

from harness.cli import main
from harness.terminal import plain

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
EVIL = (
    "</script></pre><img src=x onerror=\"document.title='PWNED'\">"
    "<script>document.title='PWNED'</script><svg onload=\"document.title='PWNED'\">"
    "{{7*7}} \x1b]0;PWNED\x07\x1b[2J\x9b31m\x00\x08\u202egnp\u2066 记忆 \ud800 \u2028 [red]x[/red]"
)
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@given(st.text(alphabet=st.characters()))
def test_a_terminal_gets_nothing_to_obey_and_json_stays_what_it_is(text: str) -> None:
    shown = plain(text)
    assert not OBEYED.search(shown)
    shown.encode("utf-8")
    assert json.loads(plain(json.dumps(text, ensure_ascii=False))) == text
    assert plain(shown) == shown


@pytest.mark.parametrize("text", ["plain", "中文，记忆", "tab\tnew\nline", "é 👩‍👩‍👧 ñ", "\\u001b"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


def test_nothing_else_prints() -> None:
    for path in sorted((ROOT / "harness").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name == "print" or name.endswith(("stdout.write", "stderr.write", "stdout.buffer")):
                assert path.name == "terminal.py", f"{path}:{node.lineno}"
            if name.endswith("console.print"):
                assert ast.unparse(node.args[0]).startswith("plain("), f"{path}:{node.lineno}"


def hostile_task(data: dict) -> None:
    """The small fixture with text that a stranger may have written into it."""
    data["files"]["editable"].append("odd/**")
    data["facts"][1]["says"] += EVIL.replace("\ud800", "").replace("\x00", "")
    data["subgoals"][4]["says"] += " <script>document.title='PWNED'</script>"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A run whose agent says and writes hostile text wherever it can, with its report."""
    place = tmp_path_factory.mktemp("hostile")
    write_fixture(place / "tasks", hostile_task)
    shown = EVIL.replace("\ud800", "")
    name = "odd/<img src=x onerror=alert(1)>\x1b[31m\u202e.md"
    script = [
        calls(
            ("run", {"command": "printf '\\033]0;x\\007\\033[2J<script>1</script>\\n' | tee a"}),
            ("write_file", {"path": name, "content": shown}),
            ("write_file", {"path": "odd/long", "content": f"{shown}\n{'z' * 2_000_000}\n"}),
            ("read_file", {"path": "odd/long"}),
            ("run", {"command": f"cat 'odd/long'; echo '{EVIL[:40]}' >&2; touch $'odd/\\x1b]0;'"}),
            ("ask_user", {"question": f"README? {EVIL}"}),
            ("nosuch" + shown, {"x": shown}),
            say=EVIL,
        ),
        {"content": EVIL + "x" * 10_000_000},
        calls(("finish", {"message": EVIL})),
        FINISH,
    ]  # fmt: skip
    return asyncio.run(play(place, place / "tasks", script))


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["show", "score", "verify", "report"])
def test_verbs_say_it_harmlessly(
    played: Played, capfd: pytest.CaptureFixture[str], verb: str
) -> None:
    assert played.record["status"] == "scored"
    trial, folder = played.record["trial_id"], str(played.folder.root)
    given = ["show", trial, "--run", folder] if verb == "show" else [verb, folder]
    assert main(given) == 0
    said = capfd.readouterr()
    assert not OBEYED.search(said.out + said.err)
    assert max(map(len, said.out.splitlines())) < 5_000
    if verb == "show":
        assert "\\u001b]0;PWNED\\u0007" in said.out and "记忆" in said.out


def dom(page: Path, address: str, profile: Path) -> str:
    """A page as a browser has built it, after its scripts ran."""
    done = subprocess.run(
        [
            *(str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *(f"--user-data-dir={profile}", "--virtual-time-budget=3000"),
            f"file://{page}{address}",
        ],
        capture_output=True,
        timeout=300,
        check=True,
    )
    return done.stdout.decode("utf-8")


def title(page: str) -> str:
    found = re.search("<title>(.*?)</title>", page, re.DOTALL)
    return found.group(1) if found else ""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_no_script_runs_in_the_report(played: Played, tmp_path: Path) -> None:
    assert main(["report", str(played.folder.root)]) == 0
    page = next(played.folder.root.glob("report/**/report.html"))
    built = dom(page, f"#/seam?trial={played.record['trial_id']}", tmp_path)
    assert "记忆" in built, "the hostile text is not shown at all"
    assert "PWNED" not in title(built) and title(built)
    assert '<img src="x"' not in built and "<svg onload" not in built


def lost_session(place: Path) -> Path:
    """A chat whose history was summed up, hostile in what was lost."""
    rule = f"Never write into src/moth/table.py. {EVIL}"
    messages = [
        {"role": "system", "content": "You are a coding agent."},
        {"role": "user", "content": rule},
        {"role": "assistant", "content": f"I will not touch src/moth/table.py. {EVIL}"},
        {"role": "user", "content": "[carried:summary]\nThe work goes on.\n[/carried]"},
        {"role": "assistant", "content": EVIL},
    ]
    path = place / f"{EVIL[9:25].replace('/', '_')}\x1b[31m.json"
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


@pytest.mark.slow
def test_audit_shows_it_harmlessly(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    session, page = lost_session(tmp_path), tmp_path / "page.html"
    assert main(["audit", str(session), "--html", str(page)]) == 0
    said = capfd.readouterr()
    assert not OBEYED.search(said.out + said.err)
    text = page.read_text(encoding="utf-8")
    assert "<script>document" not in text and "<img src=x" not in text
    if CHROMIUM:
        assert "PWNED" not in title(dom(page, "", tmp_path / "profile"))
