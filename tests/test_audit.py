"""The audit of session files: what a seam lost, what the agent did next, and how it is told."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sessions
import yaml

from harness.audit import audit_paths
from harness.audit.redact import redact
from harness.audit.report import FileRow, audit_file
from harness.cli import main
from harness.errors import UserError
from harness.exports.atif import to_atif
from harness.exports.trials import read_items
from harness.readers.base import Item, Mark, Said

PROJECT = Path(__file__).resolve().parent.parent
REAL = Path(os.environ.get("SEAMBENCH_TRANSCRIPTS", PROJECT.parent / "shared" / "transcripts"))
needs_real = pytest.mark.skipif(not REAL.is_dir(), reason=f"no real session files in {REAL}")


def audited(folder: Path, steps: list[sessions.Step]) -> dict[str, Any]:
    """The row of the first seam of a story."""
    path = sessions.write(folder, "s.jsonl", sessions.claude(steps))
    return audit_paths([str(path)]).seams[0]


def verdicts(seam: dict[str, Any], kind: str) -> dict[str, str]:
    return {fact["text"]: fact["verdict"] for fact in seam["facts"] if fact["kind"] == kind}


def findings(seam: dict[str, Any], measure: str) -> list[dict[str, Any]]:
    return seam["behaviour"][measure]["findings"]


def test_a_lost_rule_is_told_with_its_sentence_and_place(tmp_path: Path) -> None:
    seam = audited(tmp_path, sessions.story())
    (fact,) = [f for f in seam["facts"] if f["note"] == "must_not"]
    assert fact["verdict"] == "lost" and fact["by"] == "user"
    assert fact["sentence"] == sessions.FORBID and fact["line"] == 5
    assert verdicts(seam, "constraint")["Lines must stay below 88 columns."] == "kept"
    assert verdicts(seam, "command") == {"make check": "lost"}
    paths = verdicts(seam, "path")
    assert paths["src/moth/table.py"] == "kept" and paths["src/moth/legacy.py"] == "lost"


@pytest.mark.parametrize("name", [n for n in sessions.WRITERS if n != "codex-message"])
def test_every_format_leads_to_the_same_findings(tmp_path: Path, name: str) -> None:
    story = sessions.write(tmp_path, "s", sessions.WRITERS[name](sessions.story()))
    expected = audited(tmp_path, sessions.story())
    seam = audit_paths([str(story)]).seams[0]
    told = [(f["kind"], f["text"], f["verdict"]) for f in seam["facts"]]
    assert told == [(f["kind"], f["text"], f["verdict"]) for f in expected["facts"]]
    for measure, row in expected["behaviour"].items():
        assert seam["behaviour"][measure]["within_10"] == row["within_10"], measure


def test_a_chinese_session_is_audited_alike(tmp_path: Path) -> None:
    seam = audited(tmp_path, sessions.story(chinese=True))
    assert set(verdicts(seam, "constraint").values()) == {"lost"}
    assert verdicts(seam, "path")["src/moth/table.py"] == "kept"
    assert findings(seam, "edited_outside")[0]["confidence"] == "high"


def test_an_encrypted_summary_leaves_behaviour_alone(tmp_path: Path) -> None:
    text = sessions.codex(sessions.story(), "encrypted")
    seam = audit_paths([str(sessions.write(tmp_path, "s", text))]).seams[0]
    assert set(verdicts(seam, "constraint").values()) == {"unread"}
    assert "encrypted" in seam["unread"] and findings(seam, "ran_again")


def test_the_next_turns_are_judged_with_evidence(tmp_path: Path) -> None:
    seam = audited(tmp_path, sessions.story())
    (ran,) = findings(seam, "ran_again")
    assert (ran["turn"], ran["confidence"], ran["what"]) == (1, "high", "make check")
    (edited,) = findings(seam, "edited_outside")
    assert edited["turn"] == 2 and "legacy.py" in edited["what"]
    assert seam["behaviour"]["undid_edit"]["within_10"] == "no"


def after(*steps: sessions.Step) -> list[sessions.Step]:
    story = sessions.story()
    return [*story[:6], *steps]


def test_an_edit_turned_round_and_one_made_twice(tmp_path: Path) -> None:
    back = sessions.edit("src/moth/table.py", "mass", "weight")
    again = sessions.edit("src/moth/table.py", "weight", "mass")
    seam = audited(tmp_path, after(("agent", "", [back]), ("agent", "", [again])))
    assert findings(seam, "undid_edit")[0]["confidence"] == "high"
    assert findings(seam, "redid_step")[0]["turn"] == 2
    asked = audited(tmp_path, after(("user", "Please undo that edit."), ("agent", "", [back])))
    assert findings(asked, "undid_edit") == []


def test_a_check_after_an_edit_is_no_repetition(tmp_path: Path) -> None:
    check = ("run", {"command": "make check"}, "ok", False)
    mend = sessions.edit("src/moth/table.py", "a", "b")
    seam = audited(tmp_path, after(("agent", "", [mend]), ("agent", "", [check])))
    assert findings(seam, "ran_again") == []
    shell = ("run", {"command": "sed -i s/a/b/ src/moth/table.py"}, "", False)
    seam = audited(tmp_path, after(("agent", "", [shell]), ("agent", "", [check])))
    assert findings(seam, "ran_again") == []


def test_a_question_that_was_answered_before(tmp_path: Path) -> None:
    question = "Below how many columns must the lines stay?"
    seam = audited(tmp_path, after(("agent", question, [])))
    (asked,) = findings(seam, "asked_again")
    assert asked["before"] == sessions.WIDTH and asked["confidence"] == "medium"
    other = audited(tmp_path, after(("agent", "Which database do you prefer for this?", [])))
    assert findings(other, "asked_again") == []


def test_a_claim_of_completion_against_an_open_plan(tmp_path: Path) -> None:
    plan = {"plan": [{"step": "rename in cli.py", "status": "pending"}]}
    call = {"type": "function_call", "name": "update_plan", "arguments": json.dumps(plan)}
    records = [json.loads(line) for line in sessions.codex(sessions.story()).splitlines()]
    at = next(n for n, r in enumerate(records) if r["type"] == "compacted")
    records.insert(at + 1, {"type": "response_item", "payload": {**call, "call_id": "p"}})
    path = sessions.write(tmp_path, "s", sessions.lines(records))
    (claim,) = findings(audit_paths([str(path)]).seams[0], "claimed_done")
    assert claim["confidence"] == "high" and "rename in cli.py" in claim["before"]


def test_what_cannot_be_told_is_said(tmp_path: Path) -> None:
    seam = audited(tmp_path, sessions.story()[:6])
    assert {row["within_3"] for row in seam["behaviour"].values()} == {"cannot be told"}
    assert seam["turns_after"] == 0
    bare = audited(
        tmp_path, [("user", "Hello."), ("seam", "They said hello."), ("agent", "Hi.", [])]
    )
    assert bare["behaviour"]["undid_edit"]["cannot"] == "no edit was made before it"


def test_a_fact_is_lost_once(tmp_path: Path) -> None:
    story = [*sessions.story(), ("seam", sessions.SUMMARY), ("agent", "On with it.", [])]
    path = sessions.write(tmp_path, "s", sessions.claude(story))
    first, second = audit_paths([str(path)]).seams
    assert sessions.FORBID[:-1] not in str(verdicts(second, "constraint"))
    assert first["gone_before"] == 0 and second["gone_before"] >= 1
    assert verdicts(second, "constraint")["Lines must stay below 88 columns."] == "kept"


def test_a_seam_that_a_fork_has_copied_counts_once(tmp_path: Path) -> None:
    text = sessions.claude(sessions.story())
    sessions.write(tmp_path, "a.jsonl", text)
    sessions.write(tmp_path, "b.jsonl", text.replace(sessions.uuid(9), sessions.uuid(8)))
    first, second = audit_paths([str(tmp_path)]).seams
    assert first["copy_of"] == "" and second["copy_of"] == first["name"]


def test_the_verb_prints_writes_and_tells_by_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sessions"
    whole = sessions.claude(sessions.story())
    sessions.write(folder, "a.jsonl", whole + "{torn")
    sessions.write(folder, "notes.md", "just words")
    out, page = tmp_path / "found.jsonl", tmp_path / "page.html"
    assert main(["audit", str(folder), "--json", str(out), "--html", str(page)]) == 0
    told = capsys.readouterr().out
    assert "1 of 2 files read, 1 sessions, 1 compactions" in told
    assert re.search(r"^constraint +2 +1 +1 ", told, re.MULTILINE)
    torn = whole.count("\n") + 1
    assert "notes.md: no session format" in told and f"line {torn}: no JSON" in told
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["type"] for row in rows][:4] == ["file", "file", "session", "seam"]
    rates = {(row["by"], row.get(row["by"])): row for row in rows[4:]}
    assert rates["kind", "constraint"]["share_kept"] == 0.5
    assert rates["agent", "claude-code"]["with a sign"] == 1
    assert rates["measure", "ran_again"]["yes within 3"] == 1
    html = page.read_text(encoding="utf-8")
    assert sessions.FORBID in html and html.index("3 lost") < html.index("side by side")


def test_the_intervals_are_those_of_the_analysis() -> None:
    import pandas

    from analysis import stats
    from harness.audit import rates

    kept = [True, True, False, True, False, False, True, True, False]
    sessions_of = list("aaabbcccd")
    seams = [
        {
            "copy_of": "",
            "session": name,
            "facts": [{"kind": "path", "verdict": "kept" if value else "lost"}],
        }
        for value, name in zip(kept, sessions_of, strict=True)
    ]
    (row,) = rates.by_kind(seams)
    oracle = stats.clustered_interval(pandas.Series(kept).astype(float), pandas.Series(sessions_of))
    assert row["interval"] == pytest.approx(tuple(oracle))
    assert row["share_kept"] == pytest.approx(5 / 9)


def test_exit_codes_for_nothing_read_and_for_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["audit", str(empty)]) == 1
    sessions.write(empty, "x.bin", "\x00\x01")
    assert main(["audit", str(empty)]) == 1
    assert "binary file" in capsys.readouterr().out
    assert main(["audit", str(tmp_path / "nowhere")]) == 2
    assert main(["audit", str(empty), "--json", str(tmp_path / "no" / "x.jsonl")]) == 2


def test_files_are_written_though_nobody_reads_the_terminal(tmp_path: Path) -> None:
    path = sessions.write(tmp_path, "s", sessions.claude(sessions.story()))
    out, page = tmp_path / "found.jsonl", tmp_path / "page.html"
    command = [sys.executable, "-m", "harness", "audit", str(path)]
    command += ["--json", str(out), "--html", str(page)]
    read_end, write_end = os.pipe()
    os.close(read_end)
    subprocess.run(command, cwd=PROJECT, stdout=write_end, stderr=subprocess.DEVNULL, check=False)
    os.close(write_end)
    assert "lost" in page.read_text(encoding="utf-8") and out.read_text(encoding="utf-8")


def test_texts_of_a_session_are_escaped_on_the_page(tmp_path: Path) -> None:
    bad = "Never write <script>alert(1)</script> into src/moth/table.py."
    story = [("user", bad), *sessions.story()[1:]]
    path = sessions.write(tmp_path, "s", sessions.claude(story))
    page = tmp_path / "page.html"
    assert main(["audit", str(path), "--html", str(page)]) == 0
    html = page.read_text(encoding="utf-8")
    assert "<script" not in html and "&lt;script&gt;alert(1)" in html


def test_redact_hides_homes_mails_and_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "sk-" + "a1B2" * 8
    rule = f"Never send the key {secret} to bob@moth.example, and leave /home/ada/keys.txt alone."
    story = [("user", rule), *sessions.story()[1:]]
    path = sessions.write(tmp_path, "s", sessions.claude(story))
    out, page = tmp_path / "o.jsonl", tmp_path / "o.html"
    given = ["audit", str(path), "--redact", "--json", str(out), "--html", str(page)]
    assert main(given) == 0
    shown = capsys.readouterr().out + out.read_text("utf-8") + page.read_text("utf-8")
    for hidden in (secret, "bob@moth.example", "/home/ada", "ada/"):
        assert hidden not in shown
    assert "~/keys.txt" in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("C:\\Users\\Ada\\moth\\x.py", "~\\moth\\x.py"),
        ("/Users/ada/moth", "~/moth"),
        ("-Users-ada-moth/x.jsonl", "-home-moth/x.jsonl"),
        ("https://ada:hunter22@moth.example/x", "https://<login>@moth.example/x"),
        ("Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer <key>"),
        ("api_key=abcdef123456", "api_key=<key>"),
        ("nothing to hide in src/users/home.py", "nothing to hide in src/users/home.py"),
    ],
)
def test_redaction_of_single_texts(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_a_seam_becomes_the_skeleton_of_a_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = sessions.write(tmp_path, "s.jsonl", sessions.claude(sessions.story()))
    name = f"{sessions.uuid(9)[:13]}#1"
    assert main(["audit", str(path), "--to-fixture", name, "--to", str(tmp_path / "tasks")]) == 0
    (written,) = (tmp_path / "tasks").glob("*/*/task.yaml")
    task = yaml.safe_load(written.read_text(encoding="utf-8"))
    assert task["request"]["text"].startswith("Please rename weight")
    assert task["remarks"][0] == {
        "id": "remark_1",
        "turn": 1,
        "text": f"{sessions.FORBID} {sessions.WIDTH}",
    }
    assert task["facts"][0]["says"] == sessions.FORBID.split(",")[0]
    assert task["facts"][0]["stated_in"] == "remark_1"
    assert "src/moth/table.py" in task["files"]["editable"]
    assert main(["validate", str(written.parent)]) != 0
    assert "still to be filled in" in capsys.readouterr().out


def test_a_seam_that_is_not_there_is_the_users_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = sessions.write(tmp_path, "s.jsonl", sessions.claude(sessions.story()))
    for name in ("nothing", f"{sessions.uuid(9)}#2", "abc#1"):
        assert main(["audit", str(path), "--to-fixture", name, "--to", str(tmp_path)]) == 2
    assert "no seam 'abc#1'" in capsys.readouterr().err


def told(items: list[Item]) -> list[tuple[Any, ...]]:
    """What ATIF can carry: messages, calls, results, usage, times, seams with their views."""
    rows: list[tuple[Any, ...]] = []
    for item in items:
        if isinstance(item, Said):
            rows.append((item.turn, item.message, item.human, item.failed, item.usage, item.time))
        elif isinstance(item, Mark):
            views = [[s.message for s in view or ()] for view in (item.before, item.after)]
            rows.append((item.number, item.turn, item.summary, item.unread, item.trigger, *views))
    return rows


@pytest.mark.parametrize("name", sessions.WRITERS)
def test_a_transcript_goes_through_atif_without_loss(tmp_path: Path, name: str) -> None:
    before = read_items(sessions.write(tmp_path, "s", sessions.WRITERS[name](sessions.story())))
    document = json.dumps(to_atif(before), ensure_ascii=False)
    after = read_items(sessions.write(tmp_path, "s.json", document))
    results_have_no_time = [row[:5] if isinstance(row[1], dict) else row for row in told(before)]
    assert [row[:5] if isinstance(row[1], dict) else row for row in told(after)] == (
        results_have_no_time
    )


def test_the_verb_export_writes_atif(tmp_path: Path) -> None:
    path = sessions.write(tmp_path, "s.jsonl", sessions.own(sessions.story()))
    assert main(["export", "atif", str(path), "--to", str(tmp_path / "out")]) == 0
    document = json.loads((tmp_path / "out" / "s.json").read_text(encoding="utf-8"))
    assert document["schema_version"] == "ATIF-v1.7"
    assert [step["step_id"] for step in document["steps"]] == list(range(1, 10))


def test_an_inspect_log_of_ours_is_opened_by_inspect(tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log", reason="the extra `inspect` is not installed")
    path = sessions.write(tmp_path, "s.jsonl", sessions.claude(sessions.story()))
    target = tmp_path / "out.eval"
    assert main(["export", "inspect", str(path), "--to", str(target)]) == 0
    sample = log.read_eval_log(str(target), resolve_attachments=True).samples[0]
    events = [event.event for event in sample.events]
    assert events.count("model") == 6 and events.count("compaction") == 1
    again = [m for m in read_items(target) if isinstance(m, Mark)]
    texts = [str(said.message["content"]) for said in again[0].after or ()]
    assert texts[0].endswith(sessions.SUMMARY)


def digest(text: str) -> str:
    """The first letters of a fingerprint of a text's letters and digits."""
    return hashlib.sha256(re.sub(r"\W+", "", text.lower()).encode()).hexdigest()[:12]


CHECKED: list[tuple[str, int, list[tuple[str, str, str]]]] = [
    (
        "claude-code/cc-2.0.76-auto-6-steps-after.jsonl",
        1,
        [
            ("path", "8cf5ba599984", "kept"),
            ("command", "9a07130f1e57", "lost"),
            ("open", "3d219d4170ff", "kept"),
        ],
    ),
    (
        "claude-code/cc-2.1.14-manual-compact.jsonl",
        1,
        [
            ("environment", "f243ffb55f86", "kept"),
        ],
    ),
    (
        "claude-code/cc-2.1.7-auto-28-steps-after.jsonl",
        1,
        [
            ("constraint", "e7317dae9495", "kept"),
            ("path", "429f7e98452f", "kept"),
            ("environment", "74bc04531d2b", "kept"),
            ("environment", "1b66e951d280", "lost"),
        ],
    ),
    (
        "claude-code/fixture-inspect-scout-compaction.jsonl",
        1,
        [
            ("open", "693a64cd3b4a", "kept"),
        ],
    ),
    (
        "codex/DERIVED-local-plaintext-message-only.jsonl",
        1,
        [
            ("constraint", "f0bcb92dee70", "kept"),
            ("open", "eb9f48b77a23", "kept"),
            ("environment", "de9cbea4e5cb", "kept"),
            ("environment", "bd4a8c4a95aa", "lost"),
        ],
    ),
    (
        "codex/DERIVED-local-plaintext-with-replacement-history.jsonl",
        1,
        [
            ("constraint", "6e2e596698e5", "kept"),
            ("constraint", "f0bcb92dee70", "unclear"),
            ("open", "eb9f48b77a23", "lost"),
            ("environment", "bd4a8c4a95aa", "lost"),
        ],
    ),
    (
        "codex/rollout-0.142.0-one-compaction.jsonl",
        1,
        [
            ("constraint", "9ada1c28ca05", "kept"),
            ("constraint", "435a8e7e022b", "kept"),
            ("command", "c640d28bc80c", "kept"),
            ("path", "9ceea53df4bf", "kept"),
        ],
    ),
    (
        "opencode/export-1.4.3-auto-compaction.json",
        1,
        [
            ("constraint", "67b0bfcc6d48", "kept"),
            ("path", "48baf46df137", "kept"),
            ("path", "ba29ce01bde1", "lost"),
            ("command", "e7adfb2d37cd", "kept"),
            ("command", "d9c6b63e52d0", "lost"),
            ("open", "f536a377fddc", "kept"),
            ("done", "b15759accc27", "kept"),
        ],
    ),
    (
        "pi/pi-small-fixture.jsonl",
        1,
        [
            ("constraint", "bbb0ceb652d2", "kept"),
            ("path", "141083362a7b", "kept"),
        ],
    ),
    (
        "pi/pi-v1-two-compactions.jsonl",
        1,
        [
            ("constraint", "6a4632a3394c", "kept"),
            ("constraint", "7a5710eb24cc", "lost"),
            ("path", "f6342e050a77", "kept"),
            ("path", "640d3f4ffaed", "lost"),
            ("path", "5a34d5dbe298", "lost"),
            ("command", "75801bb10722", "kept"),
            ("naming", "4e77ae8b90dd", "lost"),
        ],
    ),
    (
        "pi/pi-v1-two-compactions.jsonl",
        2,
        [
            ("constraint", "6a4632a3394c", "kept"),
            ("constraint", "11bbe376d0b7", "kept"),
            ("constraint", "3e0867163d80", "lost"),
            ("constraint", "e1b2815277f3", "lost"),
            ("command", "75801bb10722", "kept"),
            ("command", "dad16a6914b0", "lost"),
        ],
    ),
    (
        "atif/terminus2-summarization.json",
        1,
        [
            ("path", "6557d84ac976", "kept"),
            ("constraint", "c9193dfa108d", "kept"),
        ],
    ),
]
"""Seams of real files, read by a person: facts (kind, digest of the text) and what became of them.

`unclear` stands where the new view says it in quite other words. The texts may not be copied here.
"""


@needs_real
@pytest.mark.parametrize(("name", "number", "facts"), CHECKED)
def test_the_audit_agrees_with_a_person(
    name: str, number: int, facts: list[tuple[str, str, str]]
) -> None:
    path = REAL / name
    seams = [s for c in audit_file(path, (), FileRow(str(path))) for s in c.seams]
    seam = next(s for s in seams if s.mark.number == number)
    found = {(fact.kind, digest(fact.text)): verdict.word for fact, verdict in seam.facts}
    assert {(k, d): found.get((k, d)) for k, d, _ in facts} == {(k, d): w for k, d, w in facts}


@needs_real
def test_all_real_files_are_audited(tmp_path: Path) -> None:
    out, page = tmp_path / "o.jsonl", tmp_path / "o.html"
    assert main(["audit", str(REAL), "--json", str(out), "--html", str(page), "--redact"]) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    files = [row for row in rows if row["type"] == "file"]
    assert all(row["reason"] or row["format"] for row in files)
    assert sum(row["type"] == "seam" for row in rows) == sum(row["seams"] for row in files) >= 22
    assert not re.search(r"/(?:Users|home)/\w", out.read_text(encoding="utf-8"))


def test_export_says_what_it_needs(tmp_path: Path) -> None:
    path = sessions.write(tmp_path, "s.jsonl", "no session")
    with pytest.raises(UserError, match="no session format"):
        read_items(path)
