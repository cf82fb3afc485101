"""The text of Codex's apply_patch tool: read into changes, and written for one change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, DELETE, UPDATE = "*** Add File: ", "*** Delete File: ", "*** Update File: "
MOVE, TAIL = "*** Move to: ", "*** End of File"


@dataclass(frozen=True)
class FileChange:
    """One change to a file, in whole lines; `before` is None for a new file, `after` for none left.

    moved: the file's new path, where it gets one.
    """

    path: str
    before: str | None
    after: str | None
    moved: str | None = None


def read_patch(text: str) -> list[FileChange]:
    """The changes of a patch, in order. Raises ValueError (one sentence) where it is none."""
    lines = text.strip("\n").split("\n")
    if lines[0].strip() != BEGIN or lines[-1].strip() != END:
        raise ValueError(f"a patch begins with {BEGIN!r} and ends with {END!r}")
    changes: list[FileChange] = []
    at = 1
    while at < len(lines) - 1:
        head, start = lines[at], at + 1
        at = start
        while at < len(lines) - 1 and not lines[at].startswith((ADD, DELETE, UPDATE)):
            at += 1
        changes.extend(_file(head, lines[start:at]))
    return changes


def _file(head: str, body: list[str]) -> Iterator[FileChange]:
    if head.startswith(ADD):
        content = "".join(line[1:] + "\n" for line in body)
        yield FileChange(head.removeprefix(ADD).strip(), None, content)
    elif head.startswith(DELETE):
        yield FileChange(head.removeprefix(DELETE).strip(), "", None)
    elif head.startswith(UPDATE):
        path, moved = head.removeprefix(UPDATE).strip(), None
        if body and body[0].startswith(MOVE):
            moved, body = body[0].removeprefix(MOVE).strip(), body[1:]
        hunks = list(_hunks(body))
        if not hunks and moved:
            hunks = [("", "")]
        for before, after in hunks:
            yield FileChange(path, before, after, moved)
    else:
        raise ValueError(f"expected a file's header in the patch, found {head[:80]!r}")


def _hunks(body: list[str]) -> Iterator[tuple[str, str]]:
    before: list[str] = []
    after: list[str] = []
    for line in [*body, "@@"]:
        if line.startswith("@@") or line.strip() == TAIL:
            if before or after:
                yield _text(before), _text(after)
            before, after = [], []
        elif line[:1] not in ("", " ", "+", "-"):
            raise ValueError(f"a line of a patch begins with ' ', '+', '-' or '@@': {line[:80]!r}")
        else:  # an empty line stands for an empty line of context
            if line[:1] != "+":
                before.append(line[1:])
            if line[:1] != "-":
                after.append(line[1:])


def _text(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


def edit_patch(path: str, text: str, old: str, new: str) -> str | None:
    """The patch that replaces `old`, which `text` holds once, by `new`, whole lines at a time.

    None where a patch cannot say it: `old` is not there once, or the change is not one of lines
    that end with a newline.
    """
    if not old or text.count(old) != 1 or "\r" in text + new:
        return None
    start = text.rfind("\n", 0, text.index(old)) + 1
    end = text.index(old) + len(old)
    while True:
        before = text[start:end]
        after = before.replace(old, new)
        if before.endswith("\n") and (not after or after.endswith("\n")):
            break
        following = text.find("\n", end)
        if following < 0:
            return None
        end = following + 1
    return patch_of(FileChange(path, before, after))


def patch_of(change: FileChange) -> str:
    """The patch of one change; its texts end with a newline."""
    gone = (change.before or "").split("\n")[:-1]
    come = (change.after or "").split("\n")[:-1]
    if change.before is None:
        body = [ADD + change.path, *("+" + line for line in come)]
    elif change.after is None:
        body = [DELETE + change.path]
    else:
        body = [UPDATE + change.path, "@@"]
        body += [*("-" + line for line in gone), *("+" + line for line in come)]
    return "\n".join([BEGIN, *body, END])
