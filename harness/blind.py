"""A blinded sample of trials for people, or a judge model, and their judgements read back.

The sheet (CSV, and the same as HTML) shows what was established and what was done after the seam,
never the strategy, the verdict or what was carried. Which row is which trial stands in a key file
beside it.
"""

from __future__ import annotations

import csv
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.seams import seam_details
from harness.sheet import html_sheet
from harness.store import RunFolder, write_atomic
from harness.text import digest
from harness.types import ITEMS, Record

JUDGED = ("continued", *(item for item in ITEMS if item != "context"))
ANSWERS = {"yes": True, "y": True, "是": True, "no": False, "n": False, "否": False}
COLUMNS = ("case", "task", "established", "done", "open", "turns")
LONGEST = 2**24
"""Characters of a cell: what a trial did may be more than the 128 kB that csv takes."""
QUESTION = "yes or no; leave empty what you cannot tell"
ASKED = {
    "continued": "Did it go on with the work: no rule broken, no file it must not touch, nothing "
    "finished done again or undone?",
    "constraints": "Was every established constraint kept?",
    "file_paths": "Were only files written that may be, in the right places?",
    "subgoals": "Was an open sub-goal taken up, and no finished one done again or undone?",
    "naming": "Do new names follow the established style?",
    "no_reask": "Was nothing asked that had been established?",
}


def draw_sample(folder: RunFolder, count: int, sheet: Path) -> int:
    """Write the sheet, as CSV and HTML, and its key. Returns how many trials were drawn.

    Strata: strategy x verdict, taken in turn, so that rare verdicts are seen. The draw depends on
    the records alone. Raises UserError where nothing can be drawn, or the sheet exists.
    """
    if sheet.exists():
        raise UserError(f"{sheet}: exists; judgements are never overwritten, name another file")
    details = seam_details(folder)
    records = [r for r in folder.records() if r["trial_id"] in details]
    if not records:
        raise UserError(f"{folder.root}: no scored trial with a stored transcript")
    chosen = stratified(records, count)
    sheet.parent.mkdir(parents=True, exist_ok=True)
    shown = [
        [case, *_shown(record, details[record["trial_id"]])]
        for case, record in enumerate(chosen, 1)
    ]
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, *(f"{name} ({QUESTION})" for name in JUDGED), "remarks"])
        writer.writerows([*case, *("" for _ in JUDGED), ""] for case in shown)
    judged = [(name, ASKED[name]) for name in JUDGED]
    page = html_sheet(COLUMNS, shown, judged, QUESTION, sheet.name)
    write_atomic(page_path(sheet), page.encode("utf-8", "replace"))
    rows = {str(case): _verdicts(record) for case, record in enumerate(chosen, 1)}
    key = {"run": folder.name, "sheet": sheet.name, "cases": rows}
    text = json.dumps(key, ensure_ascii=False, indent=1)
    write_atomic(key_path(sheet), text.encode("utf-8"))
    return len(chosen)


def page_path(sheet: Path) -> Path:
    """Where the HTML form of a sheet is."""
    return sheet.with_suffix(".html")


def key_path(sheet: Path) -> Path:
    """Where the key of a sheet is kept."""
    return sheet.with_suffix(".key.json")


def stratified(records: Sequence[Record], count: int) -> list[Record]:
    """`count` records, one from each stratum in turn, in a mixed order."""
    strata: dict[tuple[str, bool], list[Record]] = defaultdict(list)
    for record in sorted(records, key=lambda r: r["trial_id"]):
        strata[record["arm"], bool(record["continued"])].append(record)
    draw = random.Random(digest([r["trial_id"] for r in records]))
    groups = [strata[key] for key in sorted(strata)]
    for group in groups:
        draw.shuffle(group)
    chosen: list[Record] = []
    while len(chosen) < count and any(groups):
        for group in groups:
            if group and len(chosen) < count:
                chosen.append(group.pop())
    draw.shuffle(chosen)
    return chosen


def read_judgements(sheet: Path, key_file: Path) -> list[dict[str, Any]]:
    """One row per judged verdict: judge (the sheet's name), case, trial_id, name, code, person
    (booleans).

    Raises UserError, with the case, for an answer that is neither yes nor no.
    """
    try:
        key = json.loads(key_file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{sheet}: its key {key_file} cannot be read: {error}") from None
    rows = read_rows(sheet)
    found = []
    for row in rows:
        case = key["cases"].get(row.get("case") or "")
        if case is None:
            raise UserError(f"{sheet}: case {row.get('case')!r} is not in {key_file.name}")
        answers = {str(column).split(" ")[0]: value for column, value in row.items()}
        for name in JUDGED:
            person = _answer(answers.get(name), f"{sheet}: case {row['case']}, {name}")
            if person is not None and case[name] is not None:
                base = {"judge": sheet.stem, "case": row["case"], "trial_id": case["trial_id"]}
                base["name"] = name
                found.append(base | {"code": case[name], "person": person})
    if not found:
        raise UserError(f"{sheet}: nothing is judged yet; answer yes or no in the sheet")
    return found


def read_rows(sheet: Path) -> list[dict[str, str]]:
    """The rows of a sheet by column. Raises UserError where it cannot be read."""
    csv.field_size_limit(LONGEST)
    try:
        with sheet.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise UserError(f"{sheet}: cannot be read: {error}") from None


def _answer(text: str | None, where: str) -> bool | None:
    word = (text or "").strip().lower()
    if not word:
        return None
    if word not in ANSWERS:
        raise UserError(f"{where}: {text!r} is neither yes nor no")
    return ANSWERS[word]


def _verdicts(record: Record) -> dict[str, Any]:
    items = (record["windows"] or {})["registered"]["items"]
    verdicts = {name: items[name]["passed"] for name in JUDGED if name in items}
    return {"trial_id": record["trial_id"], "continued": record["continued"], **verdicts}


def _shown(record: Record, detail: Mapping[str, Any]) -> list[str]:
    """Task, facts, finished and open sub-goals, turns: as text, without the strategy."""
    says, seam = detail["says"], record["seam"] or {}
    facts = [f"{f['kind']}: {says.get(f['id'], f['id'])}" for f in record["facts"]]
    facts = [text for text in facts if not text.startswith("progress: ")]
    goals = [
        "\n".join(says.get(name, name) for name in seam.get(k) or ()) for k in ("done", "open")
    ]
    turns = "\n\n".join(_turn_text(turn) for turn in detail["turns"])
    return [record["task"], "\n".join(facts), *goals, turns]


def _turn_text(turn: Mapping[str, Any]) -> str:
    lines = [f"turn {turn['n']}: {turn['say']}".rstrip()]
    lines += [f"  asks: {question}" for question in turn["asks"]]
    for tool, what, ok, back in turn["calls"]:
        lines.append(f"  {tool} {what}{'' if ok else '  -> failed: ' + back}")
    for path, change in turn["files"]:
        lines += [f"  changed {path}", *(f"    {line}" for line in change.splitlines())]
    return "\n".join(lines)
