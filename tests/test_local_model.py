"""A local model: found or told what is missing, served for a run, asked for the summaries only."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from runs import no_report

from harness.build import model_spec
from harness.cli import main
from harness.config import load_config
from harness.errors import UserError
from harness.local_model import command, pinned, serving
from harness.model import Model
from harness.runner import check_plan, plan_cells
from harness.store import read_records
from harness.tasks import find_tasks, load_task

HERE = Path(__file__).resolve().parent
TASK = "rename/tally_ledger"
SAID = "The user asked for one name to be replaced everywhere. 已完成一半。"


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "small model.gguf"
    path.write_bytes(b"GGUF\x03\x00\x00\x00rest")
    return path


def server(*options: str) -> str:
    return shlex.join([sys.executable, str(HERE / "local_server.py"), *options])


def overrides(gguf: Path, command_line: str, role: str = "summariser") -> list[str]:
    quoted = command_line.replace('"', '\\"')
    return [f"{role}=local", f"{role}.path='{gguf}'", f'{role}.server="{quoted}"']


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "cannot be read (No such file or directory); name a GGUF file"), (b"PK\x03\x04", "GG")],
)
@pytest.mark.parametrize("role", ["model", "summariser"])
def test_file_that_is_no_model_is_told(tmp_path, capsys, role, content, told):
    path = tmp_path / "m.gguf"
    if content is not None:
        path.write_bytes(content)
    assert main(["run", f"{role}=local", f"{role}.path={path}"]) == 2
    lines = capsys.readouterr().err.strip().split("\n")
    assert len(lines) == 1
    assert f"{role}.path: {path}" in lines[0]
    assert told in lines[0]


def test_path_must_be_given(capsys):
    assert main(["run", "model=local"]) == 2
    assert "model.path: must be given" in capsys.readouterr().err


@pytest.mark.skipif(importlib.util.find_spec("llama_cpp") is not None, reason="llama_cpp is here")
def test_absent_extra_is_told(gguf, capsys):
    assert main(["run", "model=local", f"model.path='{gguf}'"]) == 2
    told = capsys.readouterr().err
    assert "pip install 'seambench[local]'" in told
    assert "model.server=" in told


def test_absent_command_is_told(gguf, capsys):
    assert main(["run", *overrides(gguf, "no-such-llama-server --jinja")]) == 2
    assert "summariser.server: no command 'no-such-llama-server'" in capsys.readouterr().err


def test_other_machines_cannot_reach_it(gguf, capsys):
    assert main(["run", *overrides(gguf, server()), "executor=ray"]) == 2
    assert "cannot reach a local model" in capsys.readouterr().err


def test_command_is_that_of_the_server(gguf):
    config, _ = load_config(overrides(gguf, server(), "model"))
    model = pinned(config).model
    line = command(model, "model", 8123)
    assert line[:2] == [sys.executable, str(HERE / "local_server.py")]
    options = dict(zip(line[2::2], line[3::2], strict=True))
    assert options == {
        "--model": str(gguf),
        "--alias": "small model",
        "--host": "127.0.0.1",
        "--port": "8123",
        "--ctx-size": "32768",
    }


def test_the_file_and_not_its_place_is_the_experiment(gguf, tmp_path):
    copy = tmp_path / "elsewhere" / gguf.name
    copy.parent.mkdir()
    copy.write_bytes(gguf.read_bytes())
    one, other = (
        pinned(load_config(overrides(path, server()))[0]).identity() for path in (gguf, copy)
    )
    assert one == other
    assert one["summariser"]["sha256"] == hashlib.sha256(gguf.read_bytes()).hexdigest()
    copy.write_bytes(b"GGUF another")
    assert pinned(load_config(overrides(copy, server()))[0]).identity() != one


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("import sys; print('loading'); sys.exit('bad tensor 模型')", "code 1; its last line: bad"),
        ("import time; print('loading', flush=True); time.sleep(60)", "did not answer within 1 s"),
    ],
)
def test_server_that_does_not_start_is_told_with_its_last_line(gguf, program, told):
    line = shlex.join([sys.executable, "-c", program])
    config, _ = load_config([*overrides(gguf, line), "summariser.start_s=1"])
    with pytest.raises(UserError) as caught, serving(pinned(config), lambda text: None):
        raise AssertionError("served")
    assert told in str(caught.value)
    assert "last line: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_server_that_ends_by_itself_is_told(gguf, tmp_path):
    pid_file, warnings = tmp_path / "pid", []
    config, _ = load_config(overrides(gguf, server("--pid-file", str(pid_file))))
    with serving(pinned(config), warnings.append) as served:
        with urllib.request.urlopen(f"{served.summariser.base_url}/models") as answer:
            assert json.load(answer)["data"][0]["id"] == "small model"
        pid = int(pid_file.read_text(encoding="utf-8"))
        os.kill(pid, 9)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert len(warnings) == 1
    assert "the server ended with code -9; its last line: " in warnings[0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_server_does_not_stay_behind_a_killed_run(gguf, tmp_path):
    pid_file = tmp_path / "pid"
    given = overrides(gguf, server("--pid-file", str(pid_file)))
    program = (
        "from harness.config import load_config\n"
        "from harness.local_model import pinned, serving\n"
        f"with serving(pinned(load_config({given!r})[0]), print):\n"
        "    print('up', flush=True)\n"
        "    input()\n"
    )
    driver = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=HERE
    )
    assert driver.stdout.readline() == b"up\n"
    driver.kill()
    driver.wait()
    pid, last = int(pid_file.read_text(encoding="utf-8")), time.monotonic() + 10
    while alive(pid) and time.monotonic() < last:
        time.sleep(0.05)
    assert not alive(pid)


async def test_calls_without_words_go_back_with_empty_content(gguf):
    """llama-cpp-python's server refuses a content of null, and chat templates none at all."""
    call = {"id": "c1", "type": "function", "function": {"name": "run", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]
    config, _ = load_config(overrides(gguf, server("--say", SAID), "model"))
    with serving(pinned(config), lambda text: None) as served:
        model = Model(model_spec(served.model, served.model.base_url))
        reply = await model.complete(history)
        await model.close()
    assert reply.message["content"] == SAID
    assert history[1]["content"] is None


def run_with(
    gguf: Path, tmp_path: Path, *more: str, say: tuple[str, ...] = ("--say", SAID)
) -> tuple[int, list[dict], Path]:
    pid_file = tmp_path / "pid"
    line = server(*say, "--pid-file", str(pid_file))
    given = [f"run.results={tmp_path / 'results'}", "run.name=r", "study.controls=[]"]
    with no_report():
        code = main(["run", *overrides(gguf, line), *given, f"tasks.only=[{TASK}]", *more])
    assert not alive(int(pid_file.read_text(encoding="utf-8")))
    folder = tmp_path / "results" / "r"
    return code, [dict(record) for record in read_records(folder / "records.jsonl")], folder


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["local", "processes"])
def test_summaries_come_from_it_and_the_agent_stays_the_worker(gguf, tmp_path, executor):
    prices = "summariser.prices={input: 1.0, output: 2.0}"
    code, records, folder = run_with(gguf, tmp_path, f"executor={executor}", prices)
    assert code == 0
    assert [record["arm"] for record in records] == ["engram", "bare"]
    for record in records:
        sha256 = hashlib.sha256(gguf.read_bytes()).hexdigest()
        assert record["summariser"] == {"name": "small model", "sha256": sha256}
        assert record["simulated"] is True
        assert record["model"] == "worker"
        assert record["tokens"]["compaction"]["input"] == 1234
        assert record["cost_usd"]["compaction"]["list"] == pytest.approx((1234 + 7 * 2) / 1e6)
        assert record["cost_usd"]["window"]["list"] is None
        assert summary_of(folder, record) == SAID
    assert main(["verify", str(folder)]) == 0


def summary_of(folder: Path, record: dict) -> str:
    events = folder / "trials" / record["trial_id"] / "events.jsonl"
    lines = map(json.loads, events.read_text(encoding="utf-8").splitlines())
    return next(e for e in lines if e["type"] == "compaction")["artefacts"]["summary"]


@pytest.mark.slow
def test_it_is_asked_in_its_own_words(gguf, tmp_path):
    words = "Say briefly, in {budget} tokens: what was agreed? 请用原文的语言。"
    given = ["strategy=bare", "strategy.options.summary_tokens=90", "study.beside=[]"]
    prompt = f"summariser.summary_prompt='{words}'"
    code, records, folder = run_with(gguf, tmp_path, *given, prompt, say=())
    assert code == 0
    assert [summary_of(folder, record) for record in records] == [words.replace("{budget}", "90")]


def test_a_sample_is_drawn_at_random_and_a_larger_one_holds_it():
    tasks = [load_task(root) for root in list(find_tasks([HERE.parent / "tasks"]).values())[:8]]
    drawn = {}
    for size in (5, 20, 500):
        config, _ = load_config(["study=real_summaries", f"study.sample={size}"])
        cells = plan_cells(config, tasks)
        drawn[size] = [(cell.loaded.task.id, cell.repeat) for cell in cells]
    everything, _ = load_config(["study=real_summaries", "study.sample=null"])
    planned = [(c.loaded.task.id, c.repeat) for c in plan_cells(everything, tasks)]
    assert drawn[5] == drawn[20][:5]
    assert sorted(drawn[500]) == sorted(planned)
    assert drawn[20] != planned[:20]
    seeded, _ = load_config(["study=real_summaries", "study.sample=20", "study.seed=7"])
    other = [(c.loaded.task.id, c.repeat) for c in plan_cells(seeded, tasks)]
    assert other != drawn[20]


@pytest.mark.parametrize("size", [0, -1, "many"])
def test_a_sample_of_nothing_is_refused(size):
    config, _ = load_config(["study=real_summaries", f"study.sample={size}"])
    with pytest.raises(UserError, match=r"study\.sample: expected a number"):
        check_plan(config)


@pytest.mark.skipif(importlib.util.find_spec("llama_cpp") is None, reason="llama_cpp is not here")
def test_llama_cpp_tells_of_a_broken_file(gguf):
    config, _ = load_config(["summariser=local", f"summariser.path='{gguf}'"])
    with (
        pytest.raises(UserError, match="the server ended with code"),
        serving(pinned(config), lambda text: None),
    ):
        raise AssertionError("served")


def test_doctor_serves_it_and_says_that_it_calls_no_tools(gguf, capsys):
    assert main(["doctor", *overrides(gguf, server(), "model")]) == 1
    assert "small model" in capsys.readouterr().out
