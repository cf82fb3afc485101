"""Instructions in a view that the worker carries out when due. It knows forms, no strategies.

Each form is one sentence of the system prompt or of carried text; a summary merely quotes:

    First read `FILE`, `FILE`.          at once, unless the view shows it
    First run `COMMAND`.                the same; "and take its output as your notes" may follow
    State in at most N sentences ...    without calls, once all of the above is done
    After each step, write `FILE` with PARTS (at most N lines).
    After each step, append new decisions to `FILE`.
    After each step, commit all changes.
    After every N steps, repeat the rules.

Parts: the goal, the rules, what is done, what is open, the plan, the next step, the files. What
the worker is told to read first, and what it keeps, are its notes: words of its own.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from harness.task_model import Call
from harness.text import content_text, split_carried
from harness.types import Message

_NAME = re.compile(r"`([^`\n]+)`")
_READ = re.compile(r"\bFirst read ((?:`[^`\n]+`(?:, and |, | and )?)+)")
_RUN = re.compile(r"\bFirst run `([^`\n]+)`( and take its output as your notes)?")
_STATE = re.compile(r"\bState in at most \w+ sentences ([^.\n]+)\.")
_WRITE = re.compile(r"\bAfter each step, write `([^`\n]+)` with ([^.\n]+)\.")
_APPEND = re.compile(r"\bAfter each step, append new decisions to `([^`\n]+)`")
_COMMIT = re.compile(r"\bAfter each step, commit all changes\b")
_REPEAT = re.compile(r"\bAfter every (\d+) steps?, repeat the rules\b")
_LINES = re.compile(r"\bat most (\d+) lines\b")
_PARTS = {
    "goal": re.compile(r"\b(?:goal|task)\b"),
    "rules": re.compile(r"\brules\b"),
    "plan": re.compile(r"\bplan\b"),
    "done": re.compile(r"\bdone\b"),
    "open": re.compile(r"\bopen\b"),
    "next": re.compile(r"\bnext step\b"),
    "files": re.compile(r"\bfiles\b"),
}
# No word of a title may say that what stands under it is done or open: the marks do that.
TITLES = {
    "en": {
        "goal": "Goal",
        "rules": "Rules",
        "plan": "Plan",
        "done": "Steps",
        "open": "Work",
        "next": "Step",
        "files": "Files",
    },
    "zh": {
        "goal": "目标",
        "rules": "规则",
        "plan": "计划",
        "done": "步骤",
        "open": "工作",
        "next": "步",
        "files": "文件",
    },
}


@dataclass(frozen=True)
class Kept:
    """A file to be written after each step: which parts, in at most `lines` lines."""

    path: str
    parts: tuple[str, ...]
    lines: int | None


@dataclass
class Orders:
    """The instructions of a view. `state`: parts to be told, None where nothing is asked.

    notes: paths and commands whose content is the worker's own words. repeat: steps between two
    repetitions of the rules, 0 for none.
    """

    read: list[str] = field(default_factory=list)
    run: list[str] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    state: tuple[str, ...] | None = None
    write: dict[str, Kept] = field(default_factory=dict)
    append: list[str] = field(default_factory=list)
    commit: bool = False
    repeat: int = 0


Notes = Mapping[str, Sequence[str]]
"""What the worker knows by now: part -> lines, and `decisions`."""


def read_orders(messages: Sequence[Message]) -> Orders:
    """The instructions in a request's messages; one that was answered is not asked again."""
    orders = Orders()
    for number, message in enumerate(messages):
        for text in _told(message):
            _take(orders, text)
            if asked := _STATE.search(text):
                answered = any(_speaks(later) for later in messages[number + 1 :])
                orders.state = None if answered else _parts(asked.group(1))
    return orders


def _told(message: Message) -> Iterator[str]:
    if message["role"] in ("assistant", "tool"):
        return
    for kind, text in split_carried(content_text(message)):
        if kind != "summary" and (kind or message["role"] == "system"):
            yield text


def _speaks(message: Message) -> bool:
    return message["role"] == "assistant" and not message.get("tool_calls")


def _take(orders: Orders, text: str) -> None:
    for match in _READ.finditer(text):
        paths = _NAME.findall(match.group(1))
        orders.read += [path for path in paths if path not in orders.read]
        orders.notes.update(paths)
    for match in _RUN.finditer(text):
        if match.group(1) not in orders.run:
            orders.run.append(match.group(1))
        if match.group(2):
            orders.notes.add(match.group(1))
    for match in _WRITE.finditer(text):
        lines = _LINES.search(match.group(2))
        limit = int(lines.group(1)) if lines else None
        orders.write[match.group(1)] = Kept(match.group(1), _parts(match.group(2)), limit)
        orders.notes.add(match.group(1))
    for match in _APPEND.finditer(text):
        if match.group(1) not in orders.append:
            orders.append.append(match.group(1))
        orders.notes.add(match.group(1))
    orders.commit |= bool(_COMMIT.search(text))
    if match := _REPEAT.search(text):
        orders.repeat = int(match.group(1))


def _parts(text: str) -> tuple[str, ...]:
    found = [(match.start(), part) for part, form in _PARTS.items() if (match := form.search(text))]
    return tuple(part for _, part in sorted(found))


def first_calls(orders: Orders, paths: Sequence[str], commands: Sequence[str]) -> list[Call]:
    """Calls that are due at once; `paths`, `commands`: read and run in the view already."""
    runs = [Call(tool="run", args={"command": c}) for c in orders.run if c not in commands]
    reads = [Call(tool="read_file", args={"path": p}) for p in orders.read if p not in paths]
    return [*runs, *reads]


def after_step(orders: Orders, notes: Notes, language: str, subject: str) -> list[Call]:
    """Calls that are due after a step; `subject` is the message of the commit."""
    calls = []
    for kept in orders.write.values():
        content = render(kept, notes, language)
        calls.append(Call(tool="write_file", args={"path": kept.path, "content": content}))
    # Line by line and only if new: the file may hold entries that this view does not show.
    for path in orders.append if notes["decisions"] else ():
        name = shlex.quote(path)
        for line in notes["decisions"]:
            text = shlex.quote(f"- {line}")
            add = f"grep -qxF -e {text} {name} || printf '%s\\n' {text} >> {name}"
            # Under a lock, where there is one: other agents may add to the same file.
            command = f"( flock 9 2>/dev/null; {add} ) 9>> {name}"
            calls.append(Call(tool="run", args={"command": command}))
    if orders.commit:
        command = f"git add -A && git commit -q -m {shlex.quote(subject)}"
        calls.append(Call(tool="run", args={"command": command}))
    return calls


def render(kept: Kept, notes: Notes, language: str) -> str:
    """A file of notes: a section for each part that has something in it."""
    lines = []
    for part in kept.parts:
        if notes[part]:
            lines += [f"## {TITLES[language][part]}", *(f"- {line}" for line in notes[part])]
    return "\n".join(lines[: kept.lines]) + "\n"


def restate(parts: Sequence[str], notes: Notes, language: str) -> str:
    """The parts as prose, one line each."""
    told = [(TITLES[language][part], [_open_end(line) for line in notes[part]]) for part in parts]
    return "\n".join(f"{title}: {'; '.join(lines)}." for title, lines in told if lines)


def own_line(text: str, language: str) -> str:
    """A line of notes without the title and the bullet that `render` put before it."""
    for title in TITLES[language].values():
        text = text.removeprefix(f"## {title} - ")
    return text.removeprefix("- ")


def _open_end(line: str) -> str:
    return line.rstrip(".。;； ")
