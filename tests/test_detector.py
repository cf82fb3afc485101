"""The patterns of the facts against a reader's labels: the sheet, the rates, what they correct."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sessions
from runs import no_report

from analysis.detector import Counts, beside_table, corrected, counts_of, facts_of, labelled
from harness.cli import main
from harness.errors import UserError
from harness.labels import draw_facts, read_labels
from harness.store import RunFolder

HERE = Path(__file__).resolve().parent
REFERENCE = HERE.parent / "results" / "reference" / "real_summaries"


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """A run of two tasks, one of them in Chinese."""
    results = tmp_path_factory.mktemp("results")
    tasks = "tasks.only=[rename/tally_ledger,feature/tally_budgets]"
    arms = ["strategy=engram", "study.controls=[]", "seam=late", "executor=processes"]
    with no_report():
        assert main(["run", tasks, *arms, f"run.results={results}", "run.name=r"]) == 0
    return results / "r"


def sheet_of(finished: Path, tmp_path: Path, count: int = 12) -> Path:
    sheet = tmp_path / "sheet.jsonl"
    assert draw_facts(RunFolder(finished), count, 0, sheet) == count
    return sheet


def rows_of(sheet: Path) -> list[dict]:
    return [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]


def label(sheet: Path, labels: list[str]) -> None:
    rows = [row | {"label": name} for row, name in zip(rows_of(sheet), labels, strict=True)]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    sheet.write_text(text, encoding="utf-8")


def test_sheet_shows_the_view_and_not_what_the_patterns_say(finished, tmp_path):
    sheet = sheet_of(finished, tmp_path)
    rows, reading = rows_of(sheet), sheet.with_suffix(".md").read_text(encoding="utf-8")
    assert all(set(row) & {"present", "evidence", "mentions", "loss"} == set() for row in rows)
    for record in RunFolder(finished).records():
        assert record["trial_id"] in reading
    assert all(" ".join(row["says"].split()) in reading for row in rows)
    assert "[carried:card]" in reading
    assert re.search(r"[\u4e00-\u9fff]", reading)


def test_draw_is_shared_out_by_arm_and_kind_and_depends_on_the_seed_alone(finished, tmp_path):
    folder = RunFolder(finished)
    every = facts_of(folder.records())
    drawn = pd.DataFrame(rows_of(sheet_of(finished, tmp_path, 20)))
    assert drawn["arm"].value_counts().to_dict() == {"bare": 10, "engram": 10}
    for arm, mine in drawn.groupby("arm"):
        of_arm = every[every["arm"] == arm]
        for kind, size in of_arm["kind"].value_counts().items():
            exact = 10 * size / len(of_arm)
            assert abs((mine["kind"] == kind).sum() - exact) < 1
    again, other = tmp_path / "again.jsonl", tmp_path / "other.jsonl"
    draw_facts(folder, 20, 0, again)
    draw_facts(folder, 20, 1, other)
    assert again.read_bytes() == (tmp_path / "sheet.jsonl").read_bytes()
    assert other.read_bytes() != again.read_bytes()
    assert draw_facts(folder, 10**6, 0, tmp_path / "all.jsonl") == len(every)


def test_labels_are_never_overwritten(finished, tmp_path, capsys):
    sheet = sheet_of(finished, tmp_path)
    assert main(["detector-sample", str(finished), "--out", str(sheet)]) == 2
    assert "exists; labels are never overwritten" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            '{"trial_id": "t", "fact": "f", "kind": "path", "arm": "a", "label": "yes"}',
            "label 'yes'",
        ),
        ('{"trial_id": "t", "fact": "f"}', "line 1 is not a line of detector-sample"),
        ("[]", "line 1 is not a line of detector-sample"),
        ("{", "line 1 is not a line of detector-sample"),
        ('{"trial_id": "t", "fact": "f", "kind": "p", "arm": "a", "label": ""}', "nothing is lab"),
    ],
)
def test_sheet_that_cannot_be_read_is_told(tmp_path, line, told):
    sheet = tmp_path / "s.jsonl"
    sheet.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_labels(sheet)
    assert told in str(caught.value)
    assert str(sheet) in str(caught.value)


def changed(finished: Path, tmp_path: Path, **fields: object) -> Path:
    """A copy of the run whose records have other fields; ... takes one away."""
    run = Path(shutil.copytree(finished, tmp_path / "changed"))
    records = [{**r, **fields} for r in RunFolder(finished).records()]
    kept = [{k: v for k, v in r.items() if v is not ...} for r in records]
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in kept]
    (run / "records.jsonl").write_text("".join(lines), encoding="utf-8")
    return run


@pytest.mark.parametrize("missing", [None, ...], ids=["null", "no column"])
def test_titles_tell_what_is_known_and_nothing_else(finished, tmp_path, capsys, missing):
    names = dict.fromkeys(("agent", "model", "summariser", "simulated"), missing)
    run, sheet = changed(finished, tmp_path, **names), sheet_of(finished, tmp_path)
    label(sheet, ["kept", "lost"] * 6)
    given = ["detector", str(run), str(sheet), "--beside", str(finished)]
    assert main([*given, "--out", str(tmp_path / "tables")]) == 0
    told = capsys.readouterr().out
    assert "Patterns against a reader (summaries by the model itself)\n" in told
    written = [p.read_text(encoding="utf-8") for p in (tmp_path / "tables").iterdir()]
    assert not [text for text in (told, *written) if re.search(r"\bNone\b|\bnan\b", text)]


def test_records_of_several_models_have_no_one_title(finished, tmp_path, capsys):
    run, sheet = changed(finished, tmp_path, simulated=False), sheet_of(finished, tmp_path)
    label(sheet, ["kept", "lost"] * 6)
    path = run / "records.jsonl"
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    other = json.dumps(json.loads(first) | {"model": "another"}, ensure_ascii=False)
    path.write_text(f"{other}\n{rest}", encoding="utf-8")
    assert main(["detector", str(run), str(sheet)]) == 2
    assert "records mix models (another, agent " in capsys.readouterr().err


def test_labels_of_another_run_and_double_labels_are_refused(finished, tmp_path):
    facts = facts_of(RunFolder(finished).records())
    one = facts.iloc[0]
    good = {"trial_id": one["trial_id"], "fact": one["fact"], "label": "kept"}
    with pytest.raises(UserError, match="no record of the run has nowhere"):
        labelled(facts, [good, {"trial_id": "nowhere", "fact": "f", "label": "lost"}])
    with pytest.raises(UserError, match="labelled twice"):
        labelled(facts, [good, good])


def test_tables_count_what_patterns_and_reader_say(finished, tmp_path, capsys):
    sheet = sheet_of(finished, tmp_path, 20)
    found = {
        (record["trial_id"], fact["id"]): fact["present"]
        for record in RunFolder(finished).records()
        for fact in record["facts"]
    }
    present = [found[row["trial_id"], row["fact"]] for row in rows_of(sheet)]
    # The reader agrees everywhere but at the first present and the first absent fact.
    labels = ["kept" if flag else "lost" for flag in present]
    labels[present.index(True)], labels[present.index(False)] = "changed", "kept"
    label(sheet, labels)
    out = tmp_path / "tables"
    assert main(["detector", str(finished), str(sheet), "--out", str(out)]) == 0
    assert "simulated: reference worker" in capsys.readouterr().out
    table = pd.read_csv(out / "detector.csv", dtype={0: str})
    row = table[table.iloc[:, 1] == "all"].iloc[0]
    kept = sum(present)  # one less for the changed one, one more for the absent one
    assert (row["kept"], row["changed"], row["lost"]) == (kept, 1, len(present) - kept - 1)
    assert (row["sensitivity_k"], row["sensitivity_n"]) == (kept - 1, kept)
    gone = len(present) - kept
    assert (row["specificity_k"], row["specificity_n"]) == (gone - 1, gone)


def facts_with(present: list[int], size: int = 50) -> pd.DataFrame:
    """Prefixes with `size` facts each, of which so many are present."""
    rows = [
        {"prefix": str(number), "present": place < found, "trial_id": str(number), "fact": place}
        for number, found in enumerate(present)
        for place in range(size)
    ]
    return pd.DataFrame(rows)


def test_correction_takes_the_errors_out():
    # 60 % are there; 80 % of them are found, and 10 % of the others: .6 * .8 + .4 * .1 = .52.
    counts = Counts(kept_present=80, kept_absent=20, gone_present=10, gone_absent=90)
    value, ends = corrected(facts_with([26] * 10), counts)
    assert value == pytest.approx(0.6)
    assert ends is not None and ends.low < 0.6 < ends.high


def test_interval_of_the_correction_covers():
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(100):
        truth = rng.binomial(40, 0.5, size=12)
        found = rng.binomial(truth, 0.8) + rng.binomial(40 - truth, 0.1)
        kept, gone = rng.binomial(60, 0.8), rng.binomial(60, 0.9)
        _, ends = corrected(facts_with(list(found), 40), Counts(kept, 60 - kept, 60 - gone, gone))
        covered += ends is not None and ends.low <= 0.5 <= ends.high
    assert covered >= 90


@pytest.mark.parametrize(
    "counts", [Counts(0, 0, 3, 4), Counts(3, 4, 0, 0), Counts(5, 5, 5, 5)], ids=str
)
def test_nothing_is_corrected_where_the_patterns_tell_nothing(counts):
    assert corrected(facts_with([3, 4], 10), counts) == (None, None)


def test_correction_stays_a_share():
    value, ends = corrected(facts_with([0, 0], 10), Counts(9, 1, 3, 7))
    assert value == 0.0
    assert ends is not None and 0.0 <= ends.low <= ends.high <= 1.0


def test_counts_take_changed_as_not_kept():
    rows = pd.DataFrame(
        {"kept": [True, True, False, False, False], "present": [True, False, True, False, False]}
    )
    assert counts_of(rows) == Counts(1, 1, 1, 2)


def test_runs_over_other_prefixes_are_refused(finished):
    facts = facts_of(RunFolder(finished).records())
    other = facts.assign(prefix=facts["prefix"] + "x")
    with pytest.raises(UserError, match="no prefix in common"):
        beside_table(facts, other, ("a", "b"))
    table = beside_table(facts, facts, ("a", "b"))
    assert all(row.cells[2].text == row.cells[3].text for row in table.rows)


def edited_names(prefix: Path) -> set[str]:
    """Names of the files that a prefix edits, from its raw events."""
    lines = (prefix / "events.jsonl").read_text(encoding="utf-8").splitlines()
    messages = [event["message"] for event in map(json.loads, lines) if event["type"] == "message"]
    failed = {
        m["tool_call_id"] for m in messages if m["role"] == "tool" and m["content"][:6] == "error:"
    }
    calls = [call for m in messages for call in m.get("tool_calls", ()) if call["id"] not in failed]
    changed = [c["function"] for c in calls if c["function"]["name"] in ("edit_file", "write_file")]
    return {json.loads(f["arguments"])["path"].rsplit("/", 1)[-1] for f in changed}


def test_letters_of_trials_stand_beside_sessions_and_what_others_report(finished, tmp_path):
    sheet = sheet_of(finished, tmp_path)
    label(sheet, ["kept", "lost"] * 6)
    sessions.write(tmp_path / "told", "s.jsonl", sessions.claude(sessions.story()))
    out = tmp_path / "tables"
    given = ["detector", str(finished), str(sheet), "--sessions", str(tmp_path / "told")]
    assert main([*given, "--out", str(out)]) == 0
    table = pd.read_csv(out / "letter_by_letter.csv").set_index(
        ["summaries_by", "strategy_or_agent"]
    )
    folder = RunFolder(finished)
    for arm in ("bare", "engram"):
        found = size = 0
        for record in folder.records():
            if record["arm"] == arm:
                names = edited_names(folder.prefix(record["prefix_hash"]))
                events = folder.trial(record["trial_id"]) / "events.jsonl"
                lines = map(json.loads, events.read_text(encoding="utf-8").splitlines())
                (seam,) = [event for event in lines if event["type"] == "compaction"]
                text = " ".join(seam["artefacts"].values())
                found, size = found + sum(name in text for name in names), size + len(names)
        row = table.loc["extractive summariser", arm]
        assert size and (row["edited_names_k"], row["edited_names_n"]) == (found, size)
    told = table.loc["session files", "claude-code"]
    assert (told["edited_names_k"], told["edited_names_n"]) == (1, 1)
    assert tuple(table.index[-1]) == ("reported elsewhere, not computed here", "Claude Code")
    assert (table.iloc[-1]["commands_k"], table.iloc[-1]["commands_n"]) == (27, 2197)


@pytest.mark.skipif(not REFERENCE.is_dir(), reason="no reference of real summaries here")
@pytest.mark.parametrize(("folder", "end"), [(".", ""), ("second", "_2")])
def test_committed_tables_are_those_of_the_committed_labels(tmp_path, folder, end):
    reference = REFERENCE / folder
    for packed in reference.glob("*.tar.xz"):
        with tarfile.open(packed, "r:xz") as archive:
            archive.extractall(tmp_path, filter="data")
    shutil.copy(reference / "labels.jsonl", tmp_path)
    runs = [str(tmp_path / f"{name}_summaries{end}") for name in ("real", "extractive")]
    again = tmp_path / "again.jsonl"
    draw_facts(RunFolder(Path(runs[0])), 300, 0, again)
    labels = rows_of(reference / "labels.jsonl")
    assert [row | {"label": "", "why": ""} for row in labels] == rows_of(again)
    assert again.with_suffix(".md").read_bytes() == (reference / "read.md").read_bytes()
    given = ["detector", runs[0], str(tmp_path / "labels.jsonl"), "--beside", runs[1]]
    assert main([*given, "--out", str(tmp_path / "tables")]) == 0
    made = sorted((tmp_path / "tables").iterdir())
    assert len(made) == 8
    for path in made:
        committed = reference / "detector" / path.name
        assert path.read_text(encoding="utf-8") == committed.read_text(encoding="utf-8")
