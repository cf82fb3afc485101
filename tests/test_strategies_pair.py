"""Two agents in one workspace: with a file each nothing is lost, with a common one it is."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from fixtures import write_fixture

from harness.cli import main
from harness.config import config_folder
from harness.errors import UserError
from harness.pair import Outcome, play, read_scenario
from harness.strategies import make_strategy
from harness.worker.instructions import after_step, read_orders

GIVEN = {"task": "rename/tiny", "agents": ["one", "two"], "ways": ["shared", "own"], "rounds": 40}


def scenario(folder: Path, **changed: Any) -> Path:
    path = folder / "scenario.yaml"
    path.write_text(yaml.safe_dump({**GIVEN, **changed}, allow_unicode=True), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Outcomes by way, of two real agents over real HTTP, files and git."""
    folder = tmp_path_factory.mktemp("pair")
    write_fixture(folder / "tasks")
    chosen = read_scenario(scenario(folder))
    outcomes, simulated = asyncio.run(play(chosen, [f"tasks.path=[{folder / 'tasks'}]"], folder))
    assert simulated
    return {outcome.way: outcome for outcome in outcomes}


@pytest.mark.slow
def test_a_task_file_each_loses_nothing(played: dict[str, Outcome]) -> None:
    own = played["own"]
    assert own.notes >= 8
    assert (own.lost, own.kept, own.rewritten) == (0, 2, 0)
    assert own.done == own.pieces == 10


@pytest.mark.slow
def test_a_common_task_file_loses_writes(played: dict[str, Outcome]) -> None:
    shared, own = played["shared"], played["own"]
    assert shared.notes == own.notes
    assert shared.kept == 1
    assert shared.lost >= own.notes // 2


@pytest.mark.slow
def test_the_command_prints_both_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_fixture(tmp_path / "tasks")
    given = ["scenario", str(scenario(tmp_path)), f"tasks.path=[{tmp_path / 'tasks'}]"]
    assert main(given) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "simulated" in lines[0]
    assert {line.split()[0] for line in lines if line[:6] in ("shared", "own   ")} == {
        "shared",
        "own",
    }


def test_the_scenario_of_the_project_can_be_read() -> None:
    chosen = read_scenario(config_folder() / "scenario" / "two_agents.yaml")
    assert set(chosen.ways) == {"shared", "own"}


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"agents": ["one"]}, "agents"),
        ({"agents": ["one", "one"]}, "agents"),
        ({"ways": ["shred"]}, "nearest: shared"),
        ({"rounds": 0}, "rounds"),
        ({"more": 1}, "task, agents, ways, rounds"),
    ],
)
def test_what_a_scenario_gets_wrong_is_named(
    changed: dict[str, Any], part: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=part):
        read_scenario(scenario(tmp_path, **changed))


def test_an_unknown_scenario_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", "two_agent"]) == 2
    assert "nearest: two_agents" in capsys.readouterr().err


def test_only_the_decisions_are_common() -> None:
    one, two = (make_strategy("protocol", {"agent": name}) for name in ("one", "two"))
    assert set(one.start().files) & set(two.start().files) == {"memory/decisions.md"}
    for strategy in (one, two):
        setup = strategy.start()
        named = [path for path in setup.files if path in setup.instructions + strategy.resuming]
        assert named == list(setup.files)
    with pytest.raises(UserError, match="agent"):
        make_strategy("protocol", {"agent": "../other"})


def _commands(lines: list[str]) -> str:
    """The shell's commands with which the worker adds decisions, one after the other."""
    text = "After each step, append new decisions to `d.md`."
    orders = read_orders(
        [{"role": "system", "content": f"[carried:instructions]\n{text}\n[/carried]"}]
    )
    calls = after_step(orders, {"decisions": lines}, "en", "Done")
    return "\n".join(call.args["command"] for call in calls)


@pytest.mark.skipif(shutil.which("flock") is None, reason="there is no flock on this machine")
def test_agents_that_add_at_the_same_time_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    path = tmp_path / "d.md"
    path.write_text("- old\n", encoding="utf-8")
    common = [f"both {n}, 都要" for n in range(40)]
    made = [
        subprocess.Popen(
            ["bash", "-c", _commands([*common, *(f"{name} {n}" for n in range(40))])], cwd=tmp_path
        )
        for name in ("one", "two")
    ]
    assert [process.wait() for process in made] == [0, 0]
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "- old"
    assert len(lines) == len(set(lines)) == 1 + 40 + 2 * 40
    for name in ("one", "two"):
        mine = [line for line in lines if line.startswith(f"- {name} ")]
        assert mine == [f"- {name} {n}" for n in range(40)]
