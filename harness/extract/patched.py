"""Which files a patch changes that a tool was given as text, and whether a tool did its work."""

from __future__ import annotations

import re
from typing import Any

BEGIN = "*** Begin Patch"
"""Opens the text of Codex's apply_patch, which other agents have taken over."""
_HEAD = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.M)
_DIFF = re.compile(r"^--- (?P<old>.+)\n\+\+\+ (?P<new>.+)\n@@ ", re.M)
_FAILED = re.compile(
    r"\s*(?:error|failed|failure|no such|not found|cannot|refused|denied)\b"
    r"|\s*apply_patch\b[^\n]*\bfailed\b"
    r"|(?:(?:Chunk ID|Wall time):.*\n){0,2}(?:Exit code:|Process exited with code) (?!0\b)"
    r"|\{.*\"exit_code\":\s*(?!\s|0\b)",
    re.IGNORECASE | re.DOTALL,
)
_LAST = re.compile(r"^exit code (?!0\b)\d+\s*\Z", re.M)


def failed(result: str) -> bool:
    """Whether the result of a tool says that nothing was written."""
    return bool(_FAILED.match(result) or _LAST.search(result))


def patched(name: str, args: dict[str, Any]) -> list[str]:
    """Paths of the files that a call's patch changes, in order; none where it holds no patch.

    name: of the tool: a diff in the form of git is one only for a tool that patches.
    """
    found: list[str] = []
    for text in _texts(args):
        if BEGIN in text:
            found += [path.strip() for path in _HEAD.findall(text[text.index(BEGIN) :])]
        elif "patch" in name or "diff" in name:
            found += [_changed(match) for match in _DIFF.finditer(text)]
    return list(dict.fromkeys(found))


def _texts(args: dict[str, Any]) -> list[str]:
    """The arguments that are texts, and those in a command of several words."""
    texts: list[str] = []
    for value in args.values():
        values = value if isinstance(value, list) else [value]
        texts += [text for text in values if isinstance(text, str)]
    return texts


def _changed(match: re.Match[str]) -> str:
    new, old = (match[side].split("\t")[0].strip() for side in ("new", "old"))
    path = old if new == "/dev/null" else new
    return path[2:] if path[:2] in ("a/", "b/") else path
