"""The solution and its variants as turns over file texts, without workspace or model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.measures import split_windows
from harness.rubric import Rubric
from harness.scorer import Seam, score_window, window
from harness.task_model import Call, Edit, Task
from harness.text import digest
from harness.tools import apply_edit
from harness.transcript import Done, Turn
from harness.types import Usage, WindowResult


class DoesNotApply(Exception):
    """An edit that the real edit tool refuses; the text says which and why."""


def apply(edits: Sequence[Edit], texts: Mapping[str, str]) -> dict[str, str]:
    """File texts after the edits, in order. Raises DoesNotApply."""
    after = dict(texts)
    for edit in edits:
        if edit.path is None:
            continue  # a command; what it changes is seen in the real run
        if edit.content is not None:
            after[edit.path] = edit.content
            continue
        if edit.path not in after:
            raise DoesNotApply(f"{edit.path}: no such file")
        try:
            after[edit.path] = apply_edit(after[edit.path], edit.old or "", edit.new or "")
        except ValueError as error:
            raise DoesNotApply(f"{edit.path}: {error}: {(edit.old or '')[:60]!r}") from None
    return after


def apply_loosely(edits: Sequence[Edit], texts: Mapping[str, str]) -> tuple[dict[str, str], int]:
    """The same, going on past edits that are refused; also how many were applied."""
    after, applied = dict(texts), 0
    for edit in edits:
        try:
            after = apply([edit], after)
            applied += 1
        except DoesNotApply:
            continue
    return after, applied


@dataclass
class Walk:
    """Turns made by hand from a state of the files, to be judged as a window."""

    task: Task
    start: Mapping[str, str]
    turns: list[Turn] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.texts = dict(self.start)

    def read(self, paths: Sequence[str]) -> Walk:
        """A turn that only reads."""
        return self._turn([Call(tool="read_file", args={"path": path}) for path in paths], {})

    def edit(self, edits: Sequence[Edit], *, loosely: bool = False) -> Walk:
        """A turn that makes the edits. Raises DoesNotApply unless `loosely`."""
        after = apply_loosely(edits, self.texts)[0] if loosely else apply(edits, self.texts)
        names = self.texts.keys() | after.keys()
        files = {p: after[p] for p in sorted(names) if after.get(p) != self.texts.get(p)}
        self.texts = after
        return self._turn([edit.call() for edit in edits], files)

    def call(self, tool: str, **args: str) -> Walk:
        """A turn of one call that changes no file."""
        return self._turn([Call(tool=tool, args=args)], {})

    def say(self, text: str) -> Walk:
        """A turn that is a message without a call."""
        return self._turn([], {}, text)

    def _turn(self, calls: Sequence[Call], files: Mapping[str, str], say: str = "") -> Walk:
        shas = {}
        for path, text in files.items():
            shas[path] = digest(text)
            self.blobs[shas[path]] = text
        done = tuple(Done(call.tool, dict(call.args), True, "") for call in calls)
        self.turns.append(Turn(len(self.turns) + 1, say, done, shas, Usage()))
        return self

    def judge(self, seam: Seam, rubric: Rubric) -> WindowResult:
        """The rubric over all turns so far."""
        whole = replace(rubric, window_turns=max(1, len(self.turns)))
        chosen = split_windows(self.turns, whole)["registered"]
        made = window(self.task, seam, chosen, self.blobs.__getitem__)
        return score_window(made, rubric, 0)


def failed_items(result: WindowResult) -> list[str]:
    """Items that failed, `context` included."""
    return [item for item, judged in result["items"].items() if judged["passed"] is False]
