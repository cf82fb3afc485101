"""A run folder with the transcripts that a sheet for judges is made from, and a filled sheet."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import synthetic
import yaml

from harness.blind import key_path
from harness.store import RunFolder


def stored_run(path: Path) -> RunFolder:
    """Nine trials of bare, long_mem and engram, each with one turn after its seam."""
    folder = RunFolder(path)
    records = synthetic.study(3, rates={"engram": 0.9, "bare": 0.3}, timings=("mid",))
    for record in records:
        record["task_hash"] = record["task"]
        _store(folder, record)
    synthetic.write_lock(folder.root)
    synthetic.write(folder.records_path, records)
    return folder


def _store(folder: RunFolder, record: dict) -> None:
    says = [{"id": f"f{n}", "says": f"规则 {n}"} for n in range(6)]
    goals = [{"id": name, "says": f"goal {name}"} for name in "abc"]
    task = folder.task(record["task_hash"])
    task.parent.mkdir(parents=True, exist_ok=True)
    task.write_text(yaml.safe_dump({"facts": says, "subgoals": goals}), encoding="utf-8")
    prefix = folder.prefix(record["prefix_hash"])
    prefix.mkdir(parents=True, exist_ok=True)
    sha = folder.blobs.put(b"old = 1\n")
    (prefix / "seam.json").write_text(json.dumps({"manifest": {"a.py": sha}}), encoding="utf-8")
    call = {"id": "c", "type": "function"}
    call["function"] = {"name": "edit_file", "arguments": json.dumps({"path": "a.py"})}
    said = {"role": "assistant", "content": "我改 a.py", "tool_calls": [call]}
    back = {"role": "tool", "tool_call_id": "c", "content": "ok"}
    carried = {"role": "user", "content": f"[carried:summary]\nsecret of {record['arm']}"}
    turn = {"type": "turn", "turn": 10, "phase": "work", "reply": 6, "results": [7], "ok": [True]}
    turn |= {"files": {"a.py": folder.blobs.put(b"new = 2\n")}}
    turn |= {"usage": {"input": 1, "cached": 0, "output": 1}}
    events = [
        {"type": "message", "n": 5, "turn": 10, "source": "strategy", "message": carried},
        {"type": "compaction", "turn": 10, "view": [[0, 0], [5, 5]], "noop": False},
        {"type": "message", "n": 6, "turn": 10, "source": "agent", "message": said},
        {"type": "message", "n": 7, "turn": 10, "source": "tool", "message": back},
        turn,
    ]
    trial = folder.trial(record["trial_id"])
    trial.mkdir(parents=True)
    lines = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
    (trial / "events.jsonl").write_text(lines, encoding="utf-8")


def fill(sheet: Path, answer) -> None:
    """Answer `continued` in every row. answer: of the code's verdict and the case's number."""
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    cases = json.loads(key_path(sheet).read_text(encoding="utf-8"))["cases"]
    for row in rows[1:]:
        row[6] = answer(cases[row[0]]["continued"], int(row[0]))
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
