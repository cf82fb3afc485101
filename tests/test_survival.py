"""What of a history a summary holds letter by letter: counts, and where they are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sessions

from harness.audit import audit_paths
from harness.audit.rates import by_survival
from harness.cli import main

ASK = "Rename weight to mass in src/moth/table.py."
ASK_ZH = "把 src/moth/table.py 里的 weight 改名为 mass。"
LONG = "And keep the tests green while you are at it. " * 6


def read(path: str, failed: bool = False) -> tuple[str, dict, str, bool]:
    return "read_file", {"path": path}, "error: no such file" if failed else "weight = 1", failed


def ran(command: str, failed: bool = False) -> tuple[str, dict, str, bool]:
    return "run", {"command": command}, "out", failed


def story(summary: str, ask: str = ASK) -> list[sessions.Step]:
    """One file edited, two only read, one not found; three commands, one of them twice."""
    calls = [read("src/moth/table.py"), read("docs/units.md"), read("src/moth/cli.py")]
    return [
        ("user", ask),
        ("user", LONG),
        ("agent", "I look.", [*calls, read("src/gone.py", failed=True)]),
        ("agent", "", [sessions.edit("src/moth/table.py", "weight", "mass")]),
        ("agent", "", [ran("make check", failed=True), ran("git diff -- src"), ran("make check")]),
        ("agent", "", [ran("grep -rn weight src")]),
        ("seam", summary),
        ("agent", "I go on.", [read("src/after.py"), ran("make after")]),
    ]


def counts(folder: Path, steps: list[sessions.Step], writer: str = "claude-code") -> dict:
    path = sessions.write(folder, "s.jsonl", sessions.WRITERS[writer](steps))
    return audit_paths([str(path)]).seams[0]["survival"]


@pytest.mark.parametrize(
    "writer", ["claude-code", "opencode", "pi", "pi-v1", "gemini", "openhands", "seambench"]
)
def test_each_file_command_and_message_counts_once(tmp_path: Path, writer: str) -> None:
    summary = f"The user said:\n  {ASK}\nI changed table.py and read units.md; ran make  check."
    assert counts(tmp_path, story(summary), writer) == {
        "edited names": (1, 1),
        "read-only names": (1, 2),
        "commands": (1, 3),
        "short messages": (1, 1),
    }


def test_chinese_around_a_name_does_not_hide_it(tmp_path: Path) -> None:
    summary = f"用户说：“{ASK_ZH}”已改table.py，也看了cli.py的内容，跑过make check一次。"
    assert counts(tmp_path, story(summary, ASK_ZH)) == {
        "edited names": (1, 1),
        "read-only names": (1, 2),
        "commands": (1, 3),
        "short messages": (1, 1),
    }


def test_other_names_and_other_words_are_not_the_same(tmp_path: Path) -> None:
    summary = "Mass replaces weight in my_table.py and table.pyi; sub-cli.py was read; make checks."
    found = counts(tmp_path, story(summary.replace("make checks", "make the check")))
    assert {name: k for name, (k, _) in found.items()} == dict.fromkeys(found, 0)


def test_shell_reads_are_commands(tmp_path: Path) -> None:
    found = counts(tmp_path, story("cat docs/units.md"), "codex")
    assert found["read-only names"] == (0, 0)
    assert found["commands"] == (1, 7)  # the four reads, and three commands of its own


def test_a_summary_that_cannot_be_read_is_not_counted(tmp_path: Path) -> None:
    text = sessions.codex(story("any"), "encrypted")
    result = audit_paths([str(sessions.write(tmp_path, "s.jsonl", text))])
    assert result.seams[0]["survival"] is None and by_survival(result.seams) == []


def test_audit_tells_the_counts_by_agent(tmp_path: Path, capsys) -> None:
    for name in ("claude-code", "pi"):
        sessions.write(tmp_path, f"{name}.jsonl", sessions.WRITERS[name](story("table.py")))
    targets = [str(tmp_path / "out.json"), str(tmp_path / "out.html")]
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("claude-code", "pi")]
    assert main(["audit", *paths, "--json", targets[0], "--html", targets[1]]) == 0
    told = capsys.readouterr().out
    assert any(
        line.split()[:6] == ["all", "2", "2", "of", "2", "(100"] for line in told.split("\n")
    )
    rows = map(json.loads, Path(targets[0]).read_text(encoding="utf-8").splitlines())
    (total,) = [row for row in rows if row.get("by") == "survival" and row["agent"] == "all"]
    assert total["read-only names"] == [0, 4]
    assert "<td>2 of 2 (100 %)</td>" in Path(targets[1]).read_text(encoding="utf-8")
