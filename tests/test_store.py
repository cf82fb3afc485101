"""Run folders: records survive torn writes, a second runner is kept out, configurations differ."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from synthetic import record

from harness.errors import UserError
from harness.store import Blobs, RunFolder, read_records, write_atomic
from harness.types import SCHEMA_VERSION

PROJECT = Path(__file__).resolve().parent.parent
CONFIG = {"model": {"name": "worker", "retries": 3}, "arms": ["bare", "engram"], "seed": 1}

HOLD = """
import sys
from pathlib import Path
from harness.store import RunFolder

with RunFolder(Path(sys.argv[1])).locked():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "run")
    folder.open(CONFIG, "seed: 1\n")
    return folder


def trial(name: str, **changes: Any) -> Any:
    return record(trial_id=name, **changes)


def test_records_come_back_in_order(run: RunFolder) -> None:
    made = [trial("b"), trial("a", reason="中文"), trial("c")]
    for one in made:
        run.append(one)
    assert run.records() == made
    assert run.records_path.read_text(encoding="utf-8").count("\n") == 3


def test_without_a_file_there_are_no_records(run: RunFolder) -> None:
    assert run.records() == []


def test_the_newest_record_of_a_trial_wins(run: RunFolder) -> None:
    for one in (trial("a", status="error"), trial("b"), trial("a", status="scored")):
        run.append(one)
    assert [(r["trial_id"], r["status"]) for r in run.records()] == [
        ("a", "scored"),
        ("b", "scored"),
    ]
    assert len(read_records(run.records_path)) == 3


def test_a_finished_run_is_sorted_one_record_a_trial(run: RunFolder) -> None:
    for one in (trial("c"), trial("a", status="error"), trial("x"), trial("a"), trial("b")):
        run.append(one)
    run.sort_records(["a", "b", "c"])
    assert [r["trial_id"] for r in read_records(run.records_path)] == ["a", "b", "c", "x"]
    assert run.records()[0]["status"] == "scored"


def test_a_run_is_planned_by_the_heads_of_its_newest_records(run: RunFolder) -> None:
    for one in (trial("a", status="error", reason="model:timeout"), trial("b"), trial("a")):
        run.append(one)
    heads = run.heads()
    assert list(heads) == ["a", "b"]
    assert [head.status for head in heads.values()] == ["scored", "scored"]
    assert [head.strategy for head in heads.values()] == [r["strategy"] for r in run.records()]


def test_records_are_found_by_the_beginning_of_a_trial_id(run: RunFolder) -> None:
    made = [trial("abc"), trial("abd", reason='a "trial_id": "abx" in a text'), trial("xabc")]
    for one in [*made, trial("abc", reason="again")]:
        run.append(one)
    found = [(r["trial_id"], r["reason"]) for r in run.find("ab")]
    assert found == [(r["trial_id"], r["reason"]) for r in made[:2]] + [("abc", "again")]
    assert [r["trial_id"] for r in run.find("xabc")] == ["xabc"]
    assert list(run.find("abx")) == list(run.find(".*")) == []
    with run.records_path.open("ab") as file:
        file.write(b'{"trial_id": "abz", "schema_version": 1')
    assert list(run.find("abz")) == []


def test_lines_that_are_not_asked_for_are_not_parsed(run: RunFolder) -> None:
    run.append(trial("a"))
    with run.records_path.open("ab") as file:
        file.write(b'{"trial_id": "b", damaged\n')
    run.append(trial("c"))
    assert [r["trial_id"] for r in run.find("c")] == ["c"]
    with pytest.raises(UserError, match="line 2 is damaged"):
        list(run.find("b"))


@pytest.mark.parametrize(
    "torn", [b'{"trial_id": "b", "sch', b'{"schema_version": 1}', "请".encode()[:-1]]
)
def test_a_torn_last_line_is_left_out_and_cut_off(run: RunFolder, torn: bytes) -> None:
    run.append(trial("a"))
    run.records_path.write_bytes(run.records_path.read_bytes() + torn)
    assert [r["trial_id"] for r in run.records()] == ["a"]
    run.append(trial("b"))
    assert [r["trial_id"] for r in read_records(run.records_path)] == ["a", "b"]
    assert torn + b"{" not in run.records_path.read_bytes()


def test_a_file_of_nothing_but_a_torn_line(run: RunFolder) -> None:
    run.records_path.write_bytes(b'{"trial')
    run.append(trial("a"))
    assert [r["trial_id"] for r in read_records(run.records_path)] == ["a"]


@pytest.mark.parametrize("damage", [b"{]", b"", b"[]", b'{"trial_id": "x"}', b"\xff"])
def test_damage_elsewhere_is_told_with_its_line(run: RunFolder, damage: bytes) -> None:
    for name in "abc":
        run.append(trial(name))
    lines = run.records_path.read_bytes().split(b"\n")
    lines[1] = damage
    run.records_path.write_bytes(b"\n".join(lines))
    with pytest.raises(UserError, match="line 2 is damaged") as error:
        run.records()
    assert str(run.records_path) in str(error.value)


def test_a_newer_schema_is_refused(run: RunFolder) -> None:
    run.append(trial("a"))
    run.append(trial("b", schema_version=SCHEMA_VERSION + 1))
    with pytest.raises(UserError, match=f"line 2 has schema version {SCHEMA_VERSION + 1}"):
        run.records()


def test_the_same_configuration_opens_again(run: RunFolder) -> None:
    run.append(trial("a"))
    run.open(json.loads(json.dumps(CONFIG)), "seed: 1\n")
    assert len(run.records()) == 1


def test_another_configuration_is_refused_field_by_field(run: RunFolder) -> None:
    other = {"model": {"name": "gpt", "retries": 3}, "arms": ["bare"], "seed": 1, "extra": None}
    with pytest.raises(UserError) as error:
        run.open(other, "")
    text = str(error.value)
    assert str(run.root) in text
    assert "model.name: 'worker' there, 'gpt' now" in text
    assert "arms: ['bare', 'engram'] there, ['bare'] now" in text
    assert "retries" not in text
    assert "seed" not in text
    assert json.loads((run.root / "lock.json").read_text(encoding="utf-8")) == CONFIG


@pytest.mark.parametrize(
    "other", [{**CONFIG, "extra": 1}, {k: v for k, v in CONFIG.items() if k != "seed"}]
)
def test_a_field_more_or_less_is_a_difference(run: RunFolder, other: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="extra" if "extra" in other else "seed"):
        run.open(other, "")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be written"):
        RunFolder(tmp_path / "file" / "run").open(CONFIG, "")


@pytest.fixture
def holder(run: RunFolder) -> Iterator[subprocess.Popen[str]]:
    """A second process that holds the run folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run.root)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout and process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_runner_is_kept_out(run: RunFolder, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(UserError, match="another runner is at work") as error, run.locked():
        pass
    assert str(run.root) in str(error.value)
    holder.communicate("")
    with run.locked():
        pass


def test_a_runner_that_was_killed_holds_nothing(
    run: RunFolder, holder: subprocess.Popen[str]
) -> None:
    holder.kill()
    holder.wait()
    with run.locked():
        pass


def test_an_atomic_write_is_there_in_full_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([65 + n]) * 300_000 for n in range(2)]
    write_atomic(path, contents[0])
    seen: set[bytes] = set()
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=look)
    reader.start()
    for n in range(40):
        write_atomic(path, contents[n % 2])
    done.set()
    reader.join()
    assert seen <= set(contents)
    assert path.read_bytes() == contents[1]
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_an_atomic_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError):
        write_atomic(tmp_path / "taken", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


def test_blobs_store_each_content_once(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    shas = [blobs.put(data) for data in (b"one", "二".encode(), b"one", b"\xff")]
    assert shas[0] == shas[2]
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 3
    assert [blobs.get(sha) for sha in shas[:2]] == [b"one", "二".encode()]
    assert [blobs.text(sha) for sha in shas] == ["one", "二", "one", "\ufffd"]


def test_a_missing_blob_is_the_users_to_know(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        Blobs(tmp_path).get("0" * 64)


def test_many_blobs_are_stored_at_once_each_under_its_own_hash(tmp_path: Path) -> None:
    contents = {f"f{number}": b"%d" % (number % 70) for number in range(100)}
    blobs = Blobs(tmp_path / "blobs")
    found = blobs.put_all(contents, contents.__getitem__)
    assert list(found) == list(contents)
    assert all(blobs.get(found[name]) == data for name, data in contents.items())
    stored = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert len(stored) == 70
    with pytest.raises(KeyError):
        blobs.put_all(["f1", "none"], contents.__getitem__)
    assert blobs.put_all([], contents.__getitem__) == {}
