"""The main job as a user runs it: real processes, real HTTP, real files."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from runs import RECORDS_ONLY, ROOT, TIMES, environ, records_only, seambench

TASK = "rename/tally_ledger"
ARMS = 8  # engram, bare and six controls


def run_arguments(results: Path, *overrides: str) -> list[str]:
    given = ["run", "family=rename", f"tasks.only=[{TASK}]", f"run.results={results}"]
    return [*given, "run.name=r", *overrides]


def records(results: Path) -> list[dict[str, Any]]:
    lines = (results / "r" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def without_times(results: Path) -> list[dict[str, Any]]:
    return [{k: v for k, v in r.items() if k not in TIMES} for r in records(results)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Results folder of one finished run, and what it printed."""
    results = tmp_path_factory.mktemp("results")
    done = seambench(*run_arguments(results))
    assert done.returncode == 0, done.stderr
    return results, done.stdout


pytestmark = pytest.mark.slow


def test_a_run_ends_with_table_folder_and_report(finished: tuple[Path, str]) -> None:
    results, printed = finished
    assert "engram" in printed and "simulated" in printed
    assert f"run folder: {results / 'r'}" in printed
    found = records(results)
    assert len(found) == ARMS and {r["status"] for r in found} == {"scored"}
    assert all(r["simulated"] and r["model"] == "worker" for r in found)
    report = results / "r" / "report"
    assert (
        list(report.rglob("*.csv")) and list(report.rglob("*.md")) and list(report.rglob("*.png"))
    )


def test_controls_do_what_they_are_for(finished: tuple[Path, str]) -> None:
    verdict = {r["arm"]: r["continued"] for r in records(finished[0])}
    assert verdict["full"] and verdict["oracle_card"] and not verdict["empty"]


def test_all_arms_of_a_cell_share_the_prefix_bytes(finished: tuple[Path, str]) -> None:
    assert len({r["prefix_hash"] for r in records(finished[0])}) == 1
    assert len(list((finished[0] / "r" / "prefixes").iterdir())) == 1


def test_the_same_command_again_repeats_nothing(finished: tuple[Path, str]) -> None:
    results, _ = finished
    before = (results / "r" / "records.jsonl").read_bytes()
    done = records_only(*run_arguments(results))
    assert done.returncode == 0 and "finished already" in done.stderr
    assert (results / "r" / "records.jsonl").read_bytes() == before


@pytest.mark.parametrize("concurrency", [1, 8])
def test_same_records_whatever_the_concurrency(
    finished: tuple[Path, str], tmp_path: Path, concurrency: int
) -> None:
    done = records_only(*run_arguments(tmp_path, f"run.concurrency={concurrency}"))
    assert done.returncode == 0, done.stderr
    assert without_times(tmp_path) == without_times(finished[0])


def test_killed_and_started_again(finished: tuple[Path, str], tmp_path: Path) -> None:
    command = [*RECORDS_ONLY, *run_arguments(tmp_path, "run.concurrency=1")]
    log = tmp_path / "r" / "records.jsonl"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=ROOT, env=environ(), **quiet) as process:
        while not (log.exists() and log.read_bytes().count(b"\n") >= 3):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    kept = log.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1].splitlines()
    assert 3 <= len(kept) < ARMS
    done = records_only(*run_arguments(tmp_path))
    assert done.returncode == 0, done.stderr
    assert without_times(tmp_path) == without_times(finished[0])
    again = log.read_bytes().splitlines()
    assert all(line in again for line in kept), "a finished trial was run a second time"


def test_verify_confirms_and_names_a_changed_verdict(
    finished: tuple[Path, str], tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(finished[0] / "r", copy)
    done = seambench("verify", str(copy))
    assert done.returncode == 0 and f"{ARMS} scored records verified, 0 differ" in done.stdout
    log = copy / "records.jsonl"
    text = log.read_text(encoding="utf-8")
    changed = re.sub(
        r'"continued": true', '"continued": True'.lower().replace("true", "null"), text, count=1
    )
    assert changed != text
    log.write_text(changed, encoding="utf-8")
    trial = next(r["trial_id"] for r in records(finished[0]) if r["continued"])
    done = seambench("verify", str(copy))
    assert done.returncode == 1 and trial in done.stdout and "1 differ" in done.stdout


def test_show_tells_state_view_turns_and_verdict(finished: tuple[Path, str]) -> None:
    trial = next(r for r in records(finished[0]) if r["arm"] == "engram")
    done = seambench("show", trial["trial_id"][:8], "--run", str(finished[0] / "r"))
    assert done.returncode == 0, done.stderr
    for part in (
        "Established before the seam",
        "Carried",
        "card:",
        "turn ",
        "Verdict",
        "simulated",
    ):
        assert part in done.stdout


def test_report_is_the_same_bytes_again(finished: tuple[Path, str]) -> None:
    report = finished[0] / "r" / "report"

    def content() -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in sorted(report.rglob("*")) if p.is_file()}

    before = content()
    assert seambench("report", str(finished[0] / "r")).returncode == 0
    assert content() == before


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def second_endpoint() -> Iterator[str]:
    """A gateway in a process of its own, as one would run vLLM or Ollama."""
    port = free_port()
    command = [sys.executable, "-m", "harness", "gateway", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout and "serving" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}/v1"
        process.terminate()


def test_a_second_endpoint_gives_the_same_verdicts(
    finished: tuple[Path, str], tmp_path: Path, second_endpoint: str
) -> None:
    endpoint = ["model=endpoint", f"model.base_url={second_endpoint}", "model.temperature=null"]
    done = records_only(*run_arguments(tmp_path, *endpoint, "model.name='worker:{handle}'"))
    assert done.returncode == 0, done.stderr
    for mine, theirs in zip(records(tmp_path), records(finished[0]), strict=True):
        assert mine["windows"] == theirs["windows"] and mine["simulated"]


def test_an_endpoint_that_is_down_is_an_error_record(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}/v1"
    endpoint = ["model=endpoint", f"model.base_url={url}", "model.name=m", "model.retries=1"]
    done = seambench(*run_arguments(tmp_path, *endpoint))
    assert done.returncode == 1
    assert {(r["status"], r["reason"]) for r in records(tmp_path)} == {
        ("error", "model:unreachable")
    }
    assert "waiting" in done.stderr and "Traceback" not in done.stderr
    again = records_only(*run_arguments(tmp_path, *endpoint))
    assert again.returncode == 1, "an error is owed again, never taken as finished"
