"""What the agent did in the next ten responses: signs that something was lost, with evidence.

A sign is no proof. `high`: the file itself shows it; `medium`: likely, a person should look;
`low`: often normal. Reading files again is how every agent resumes and is no sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from harness.audit.actions import Action, actions
from harness.audit.facts import Fact, core
from harness.audit.wording import stems
from harness.extract import lex_work
from harness.readers.base import Said
from harness.text import content_text, units

SHORT, LONG = 3, 10
"""Responses after the seam that are looked at."""

_QUESTION = re.compile(r"[?？]\W*$")
_LOOKS = re.compile(
    r"\s*(?:ls|cat|head|tail|pwd|echo|which|wc|git (?:status|diff|log|show|branch)|sed -n|rg|grep|"
    r"find|tree|ps|date|sleep)\b"
)
_POLLS = re.compile(r"\b(?:gh|curl|sleep|status|docker ps|kubectl get|wait)\b")
_WRITES = re.compile(
    r"(?<![0-9&=-])>{1,2}\s*(?!/dev/null)[\w./~\"'$]|\bsed -i|\btee\b|\b(?:mv|rm|cp|touch|mkdir)\s"
    r"|\bgit (?:checkout|switch|pull|merge|rebase|stash|apply|reset|cherry-pick)\b"
    r"|\b(?:npm|pnpm|yarn|pip|uv|cargo|go|bun) (?:i|install|add|ci|sync|get)\b|--(?:write|fix)\b"
)
_RESTORES = re.compile(r"\bgit (?:checkout (?:HEAD |-- )|checkout --|restore|reset --hard|stash\b)")
_ANY = re.compile(r"\S")
_UNDO_ASKED = re.compile(
    r"\b(?:undo|revert|roll ?back|restore|go back)\b|撤销|还原|回退|回滚", re.I
)
_CLAIM = re.compile(
    r"\b(?:all|everything|the (?:task|work|implementation|feature|fix|change|migration))\b"
    r"[^.!?\n]{0,60}\b(?:done|complete|completed|finished|implemented)\b"
    r"|\bthe [\w -]{1,40} (?:is|are) (?:now )?(?:done|complete|finished)\b"
    r"|\bsuccessfully (?:completed|implemented|finished)\b"
    r"|全部(?:都)?(?:已经?)?完成|都(?:已经?)?完成了|任务(?:已经?)?完成|已全部完成",
    re.I,
)
_NOT_YET = re.compile(
    r"\b(?:not|once|when|until|before|after|if|remaining|left|still)\b|尚未|还没|之后", re.I
)
SAME = 0.6
"""Share of a question's words that one earlier sentence of the user must hold to answer it."""


@dataclass(frozen=True)
class Finding:
    """One sign. turn: responses after the seam, from 1. before: what it goes back to."""

    turn: int
    confidence: str
    what: str
    line: int
    before: str = ""


@dataclass(frozen=True)
class Measure:
    """A measure at one seam. cannot: why nothing can be told, "" where it can."""

    findings: tuple[Finding, ...] = ()
    cannot: str = ""

    def verdict(self, window: int) -> str:
        """yes, maybe, no, or cannot be told, within the first `window` responses."""
        if self.cannot:
            return "cannot be told"
        sure = [f.confidence for f in self.findings if f.turn <= window]
        if any(confidence != "low" for confidence in sure):
            return "yes"
        return "maybe" if sure else "no"


@dataclass
class Window:
    """What stands on both sides of a seam."""

    before: Sequence[Said]
    done: Sequence[Action]
    facts: Sequence[Fact]
    view: str
    after: Sequence[Said]
    cwd: str = ""
    acted: list[Action] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.acted = actions(self.after, self.cwd)
        self.first = min((s.turn for s in self.after if s.role == "assistant"), default=1)

    def turn(self, said: Said) -> int:
        return said.turn - self.first + 1

    def asked_for(self, said: Said, pattern: re.Pattern[str]) -> bool:
        """Has the user, after the seam and before that message, asked for such a thing?"""
        spoken = [s for s in self.after if s.human and s.turn <= said.turn]
        return any(pattern.search(content_text(s.message)) for s in spoken)


def measure(window: Window) -> dict[str, Measure]:
    """All measures at one seam, in report order."""
    if not any(said.role == "assistant" for said in window.after):
        return {name: Measure(cannot="no response after the seam") for name in MEASURES}
    return {name: _one(window, look) for name, look in MEASURES.items()}


def _one(window: Window, look: Callable[[Window], Iterator[Finding] | str]) -> Measure:
    found = look(window)
    return Measure(cannot=found) if isinstance(found, str) else Measure(tuple(found))


def asked_again(window: Window) -> Iterator[Finding] | str:
    """A question whose words one earlier sentence of the user holds."""
    told = [
        unit
        for said in window.before
        if said.human
        for unit in units(content_text(said.message))
        if not _QUESTION.search(unit)
    ]
    if not told:
        return "no statement of the user before it is known"
    return _asked_again(window, told)


def _asked_again(window: Window, told: Sequence[str]) -> Iterator[Finding]:
    known = [(unit, stems(unit)) for unit in told]
    for said, question, tool in _questions(window):
        wanted = stems(question)
        if len(wanted) < 3:
            continue
        unit, words = max(known, key=lambda one: len(one[1] & wanted))
        if len(words & wanted) / len(wanted) >= SAME:
            sure = "high" if tool else "medium"
            yield Finding(window.turn(said), sure, question[:400], said.line, unit[:400])


def _questions(window: Window) -> Iterator[tuple[Said, str, bool]]:
    for action in window.acted:
        if action.kind == "ask":
            yield action.said, action.text, True
    for said in window.after:
        if said.role == "assistant":
            for unit in units(content_text(said.message)):
                if _QUESTION.search(unit) and not lex_work.OFFER.search(unit.lower()):
                    yield said, unit, False


def edited_outside(window: Window) -> Iterator[Finding] | str:
    """An edit of a file that nobody had read, changed or named."""
    known = {_name(path) for action in window.done for path in action.paths}
    known |= {_name(fact.text) for fact in window.facts if fact.kind == "path"}
    if not any(action.kind == "edit" for action in window.done) and len(known) < 2:
        return "too few files were touched before it"
    return _edited_outside(window, known)


def _edited_outside(window: Window, known: set[str]) -> Iterator[Finding]:
    banned = [f.text for f in window.facts if f.kind == "constraint" and f.note == "must_not"]
    spoken = "\n".join(content_text(s.message) for s in (*window.before, *window.after) if s.human)
    closed = {_name(f.text) for f in window.facts if f.kind == "path" and f.note == "read_only"}
    read: set[str] = set()
    for action in window.acted:
        for path in action.paths:
            name = _name(path)
            rule = next((text for text in banned if name in text), "")
            if action.kind != "edit":
                read.add(name)
            elif rule:
                sure = "high" if name in closed else "medium"
                yield _finding(window, action, sure, f"edited {path}", rule)
            elif name not in known and name not in window.view and name not in spoken:
                fresh = name in read or all(old is None for _, old, _ in action.changes)
                sure = "low" if fresh else "medium"
                yield _finding(window, action, sure, f"edited {path}")
            if action.kind == "edit":
                known.add(name)


def ran_again(window: Window) -> Iterator[Finding] | str:
    """A command that had been run, with no edit between: known to fail, or known to pass."""
    if not any(action.kind == "run" for action in window.done):
        return "no command was run before it"
    return _ran_again(window)


def _ran_again(window: Window) -> Iterator[Finding]:
    last: dict[str, Action] = {}
    for action in window.done:
        _remember(last, action)
    for action in window.acted:
        if action.kind == "run" and not _LOOKS.match(core(action.command)):
            earlier = last.pop(core(action.command), None)
            if earlier:
                sure = "high" if earlier.failed else "medium"
                may = _POLLS.search(action.command) or window.asked_for(action.said, _ANY)
                sure = "low" if may else sure
                how = "failed" if earlier.failed else "ran"
                told = f"{how} at line {earlier.said.line}, no edit since"
                yield _finding(window, action, sure, action.command[:400], told)
        if _changes(action):
            last.clear()


def _remember(last: dict[str, Action], action: Action) -> None:
    """Note a command; whatever changes files makes all results before it old."""
    if _changes(action):
        last.clear()
    elif action.kind == "run":
        last[core(action.command)] = action


def _changes(action: Action) -> bool:
    return action.kind == "edit" or (action.kind == "run" and bool(_WRITES.search(action.command)))


def undid_edit(window: Window) -> Iterator[Finding] | str:
    """An edit turned round, or a changed file restored, without being asked."""
    made = {
        (p, old or "", new): a for a in window.done for p, old, new in a.changes if not a.failed
    }
    if not made:
        return "no edit was made before it"
    return _undid_edit(window, made)


def _undid_edit(window: Window, made: dict[tuple[str, str, str], Action]) -> Iterator[Finding]:
    names = {_name(path): action for (path, _, _), action in made.items()}
    for action in window.acted:
        if window.asked_for(action.said, _UNDO_ASKED):
            continue
        for path, old, new in action.changes:
            earlier = made.get((path, new, old or ""))
            if earlier and old:
                told = f"made at line {earlier.said.line}"
                yield _finding(window, action, "high", f"turned round an edit of {path}", told)
        if action.kind == "run" and _RESTORES.search(action.command):
            gone = [name for name in names if name in action.command]
            for name in gone:
                told = f"edited at line {names[name].said.line}"
                yield _finding(window, action, "medium", action.command[:400], told)


def redid_step(window: Window) -> Iterator[Finding] | str:
    """The same edit again, or a finished item of the plan open again."""
    made = {change: a for a in window.done for change in a.changes if not a.failed and change[2]}
    plan = _last_plan(window.done)
    if not made and not plan:
        return "no edit and no plan before it"
    return _redid_step(window, made, plan)


def _redid_step(
    window: Window,
    made: dict[tuple[str, str | None, str], Action],
    plan: dict[str, str],
) -> Iterator[Finding]:
    for action in window.acted:
        for change in action.changes:
            if change in made:
                told = f"made at line {made[change].said.line}"
                yield _finding(window, action, "high", f"the same edit of {change[0]}", told)
        reopened = [t for t, state in action.items if state == "open" and plan.get(t) == "done"]
        for text in reopened:
            yield _finding(window, action, "medium", f"open again: {text[:300]}", "was done")


def claimed_done(window: Window) -> Iterator[Finding] | str:
    """A claim that all is done while the plan, or the state before the seam, has open items."""
    open_facts = [fact.text for fact in window.facts if fact.kind == "open"]
    plans = [a for a in (*window.done, *window.acted) if a.kind == "plan"]
    if not plans and not open_facts:
        return "no open items are known"
    return _claimed_done(window, open_facts)


def _claimed_done(window: Window, open_facts: Sequence[str]) -> Iterator[Finding]:
    for said in window.after:
        if said.role != "assistant" or said.message.get("tool_calls"):
            continue
        claim = next((u for u in units(content_text(said.message)) if _claims(u)), "")
        if not claim:
            continue
        until = [a for a in window.acted if a.said.turn <= said.turn]
        plan = _last_plan(until) or _last_plan(window.done)
        left = [text for text, state in plan.items() if state == "open"]
        if left:
            sure = "high" if _last_plan(until) else "medium"
            yield Finding(window.turn(said), sure, claim[:400], said.line, f"open: {left[0][:300]}")
        elif not plan and open_facts:
            told = f"open: {open_facts[0][:300]}"
            yield Finding(window.turn(said), "low", claim[:400], said.line, told)


def _claims(unit: str) -> bool:
    return bool(_CLAIM.search(unit)) and not _NOT_YET.search(unit) and not _QUESTION.search(unit)


def _last_plan(done: Sequence[Action]) -> dict[str, str]:
    plans = [action.items for action in done if action.kind == "plan" and action.items]
    return dict(plans[-1]) if plans else {}


def _finding(window: Window, action: Action, sure: str, what: str, before: str = "") -> Finding:
    return Finding(window.turn(action.said), sure, what, action.said.line, before)


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


MEASURES: dict[str, Callable[[Window], Iterator[Finding] | str]] = {
    "asked_again": asked_again,
    "edited_outside": edited_outside,
    "ran_again": ran_again,
    "undid_edit": undid_edit,
    "redid_step": redid_step,
    "claimed_done": claimed_done,
}
"""Name -> how it is looked for, in report order."""
