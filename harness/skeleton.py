"""`seambench new-task`: a commented task.yaml around a codebase, basic or full."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from harness.errors import UserError
from harness.text import nearest
from harness.types import Family

BASIC = """\
# A basic fixture: enough to measure a real agent. Every `<...>` is yours to write.
# tasks/README.md explains each key; `seambench validate {where}` says what is still missing.
id: {family}/{name}
family: {family}
codebase: {codebase}
language: en            # language of the conversation: en or zh
split: dev              # dev: for building strategies; test: frozen before any strategy runs on it

request:
  text: |
    <What the user asks first. Name every step and its file, as a person would.>
  # Regular expressions, all found in one sentence or list item: the goal is known.
  evidence: ["<word of the first sentence>"]
  # Questions about the request as a whole; `match` patterns are all found in `sample`.
  asks:
    - {{match: ["what", "task"], sample: "What is the task?"}}

# Said casually while the agent works: after a sub-goal is done, or after a turn (`turn: 5`).
remarks:
  - {{id: by_the_way, after: <sub-goal>, text: "<A rule that is said once.>"}}

facts:
  - id: <rule>
    kind: constraint    # constraint, path, naming, decision or environment
    loss: prohibition   # what people report as lost: see tasks/README.md
    says: "<The rule in one sentence.>"
    stated_in: by_the_way        # request, the id of a remark, or detour:<sub-goal>
    evidence: ["<word>", "(never|no|not)"]   # all in ONE sentence; nothing else may match
    asks:
      - {{match: ["<word>"], sample: "<A question about it?>"}}
    check:              # over the net change of a window; predicates: harness/checks.py
      when: {{adds: "<pattern>", in: "**/*.py"}}
      then: {{not: {{adds: "<pattern>", in: "**/*.py"}}}}

subgoals:               # 10 to 14 small steps, in order
  - id: <step>
    says: "<What is to be done, with the file's name.>"
    evidence: ["<pattern that names this step and no other>"]
    files: [<path>]
    done_when: {{has: "<pattern>", in: "<path>"}}
{full_subgoal}
files:
  editable: ["**/*.py", "*.md"]  # globs of what the task may change
  read_only: []
  decoys: {{}}            # target: look-alike that must not be touched

{full_rest}
completion:
  run: python -m pytest -q tests_hidden    # completion/ is laid in only for this
"""

FULL_SUBGOAL = """\
    # --- full: what the reference worker and the rubric's self-test need ---
    names: ["<a phrase for this step>", "<another>"]   # each matches this evidence alone
    needs: [<rule>]     # facts without which the step goes wrong: constraint, path, naming, others
    edits:              # exact tool calls: `old` occurs once
      - {path: <path>, old: "<text>", new: "<text>"}
    redo:               # only where doing it twice does harm
      edits: [{path: <path>, old: "<text after>", new: "<text after, twice>"}]
      seen_when: {count: {pattern: "<pattern>", n: 2}, in: "<path>"}
"""

FULL_REST = """\
# What happens when a needed fact is unknown; exactly one of edits, ask, run, replace.
slips:
  - {fact: <rule>, subgoal: <step>, edits: [{path: <path>, old: "<text>", new: "<wrong text>"}]}
  - {fact: <naming rule>, subgoals: all, replace: {new_name: newName}}

# Another correct way on, turn by turn.
alternatives:
  - id: other_order
    says: "<What is different.>"
    after: <step>
    turns:
      - [{path: <path>, old: "<text>", new: "<text>"}]

# Commands of the worker: `own` needs the fact `fact`; without it `generic` is run.
checks: {own: "<cheap check>", generic: "<what one would guess>", full: "<whole suite>", fact: <id>}

# Dead ends acted out in the prefix.
detours:
  - after: <step>
    say: "<What was tried, and why it is dropped.>"
    calls: [{tool: run, args: {command: "<command>"}}]

open_questions: []
"""


IGNORED = (".git", "__pycache__", ".venv", "node_modules", "*.pyc", "*.egg-info", "PKG-INFO")


def placeholders(text: str) -> list[str]:
    """The skeleton's blanks that are still in a task.yaml, each once."""
    known = set(re.findall(r"<[^<>\n]+>", BASIC + FULL_SUBGOAL + FULL_REST))
    return [blank for blank in dict.fromkeys(re.findall(r"<[^<>\n]+>", text)) if blank in known]


def new_task(family: str, name: str, source: Path, place: Path, *, full: bool) -> Path:
    """Write `<place>/<family>/<name>/` with a copy of the codebase and a task.yaml to fill in.

    Raises UserError for an unknown family, a missing codebase, or a folder that exists.
    """
    families = [known.value for known in Family]
    if family not in families:
        raise UserError(f"--family: no {family!r}; nearest: {nearest(family, families)}")
    if not source.is_dir():
        raise UserError(f"--from: no folder {source}")
    root = place / family / name
    if root.exists():
        raise UserError(f"{root}: exists already; choose another --name")
    ignored = shutil.ignore_patterns(*IGNORED)
    shutil.copytree(source, root / "repo", ignore=ignored)
    (root / "completion" / "tests_hidden").mkdir(parents=True)
    text = BASIC.format(
        where=root,
        family=family,
        name=name,
        codebase=source.resolve().name,
        full_subgoal=FULL_SUBGOAL if full else "",
        full_rest=FULL_REST if full else "",
    )
    (root / "task.yaml").write_text(text, encoding="utf-8")
    return root
