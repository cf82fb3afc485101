"""Small things about text that several modules need: units, globs, near names, carried text."""

from __future__ import annotations

import difflib
import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from harness.types import Message

CARRIED_OPEN = re.compile(r"^\[carried:([a-z_]+)\]$", re.MULTILINE)
CARRIED_CLOSE = "[/carried]"
CONTINUE = {"en": "Please continue.", "zh": "请继续。"}

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；;])\s*")
_LABEL = re.compile(r"^\s*(?:#{1,6}\s+.*|[^\n]{1,60}[:：])\s*$")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)、]|\[[ x]\])\s*")
_CJK = re.compile(r"[\u4e00-\u9fff]")


@lru_cache(maxsize=512)
def _glob_regex(glob: str) -> re.Pattern[str]:
    out, position = "", 0
    for match in re.finditer(r"\*\*/|\*\*|\*|\?", glob):
        out += re.escape(glob[position : match.start()])
        out += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}[match.group(0)]
        position = match.end()
    return re.compile(out + re.escape(glob[position:]), re.DOTALL)


def glob_match(path: str, globs: str | Sequence[str]) -> bool:
    """True where a relative path matches one of the globs; `**` crosses folders, `*` does not."""
    patterns = [globs] if isinstance(globs, str) else globs
    return any(_glob_regex(glob).fullmatch(path) for glob in patterns)


def workspace_path(path: str) -> str:
    """A path as the tools take it ("/work/x", "./x", "a/../x") as a relative one ("x")."""
    inside = path.removeprefix("/work/") if path.startswith("/work/") else path
    return posixpath.normpath(inside)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known names nearest to `word`, joined by commas, or all of them where none is near."""
    names = sorted(known)
    return ", ".join(difflib.get_close_matches(str(word), names, n=3, cutoff=0.5) or names)


def digest(value: Any) -> str:
    """SHA-256 (hex) of bytes, text, or any JSON value in canonical form."""
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


def task_handle(task_hash: str) -> str:
    """The opaque name of a task that strategies are given; memories are filed under it."""
    return digest(["task", task_hash])[:16]


def is_chinese(text: str) -> bool:
    """True where at least a tenth of the characters are Chinese."""
    return bool(text) and len(_CJK.findall(text)) * 10 >= len(text)


def carried(kind: str, text: str) -> str:
    """Text that a strategy or control puts into a view, between the fixed markers.

    Markers within the text (a model may print them) are made harmless.
    """
    safe = text.replace("[carried:", "[ carried:").replace(CARRIED_CLOSE, "[ /carried]")
    return f"[carried:{kind}]\n{safe.strip()}\n{CARRIED_CLOSE}"


def carried_message(parts: Sequence[tuple[str, str]], history: Sequence[Message]) -> Message:
    """The user message that opens a compacted view: carried parts, then a word to go on.

    The word is in the language in which the user wrote most of the history. What was carried over
    an earlier seam is not the user's.
    """
    texts = [content_text(m) for m in history if m["role"] == "user"]
    said = "\n".join(text for t in texts for kind, text in split_carried(t) if kind is None)
    blocks = [carried(kind, text) for kind, text in parts if text.strip()]
    blocks.append(CONTINUE["zh" if is_chinese(said) else "en"])
    return {"role": "user", "content": "\n\n".join(blocks)}


def split_carried(text: str) -> list[tuple[str | None, str]]:
    """Pieces of a message in order: (kind, text) for carried text, (None, text) for the rest."""
    pieces: list[tuple[str | None, str]] = []
    position = 0
    for match in CARRIED_OPEN.finditer(text):
        if match.start() < position:
            continue
        end = text.find("\n" + CARRIED_CLOSE, match.end())
        end = len(text) if end < 0 else end
        pieces.append((None, text[position : match.start()]))
        pieces.append((match.group(1), text[match.end() : end].strip("\n")))
        position = min(len(text), end + 1 + len(CARRIED_CLOSE))
    pieces.append((None, text[position:]))
    return [(kind, piece) for kind, piece in pieces if piece.strip()]


def units(text: str) -> Iterator[str]:
    """Sentences and list items, the unit in which evidence is sought.

    Split at newline, sentence end, `;` and `；`. A heading or label line is put before each list
    item under it, and before plain lines up to the next blank line.
    """
    label, blank = "", False
    for line in text.split("\n"):
        if not line.strip():
            blank = True
            continue
        if _LABEL.match(line):
            label = line.strip()
            yield label
        else:
            if blank and not _ITEM.match(line):
                label = ""
            marker = _ITEM.match(line)
            start = marker.end() if marker else 0  # the dot of "1." ends no sentence
            prefix = " ".join(part for part in (label, line[:start].strip()) if part)
            for part in _SENTENCE_END.split(line[start:]):
                if part.strip():
                    yield f"{prefix} {part.strip()}".lstrip()
        blank = False


def matches_all(patterns: Sequence[str], unit: str) -> bool:
    """True where every pattern is found in the unit, without regard to case."""
    return all(caseless(pattern).search(unit) for pattern in patterns)


@lru_cache(maxsize=8192)  # a study has many more patterns than `re` keeps
def caseless(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled once, that knows no case."""
    return re.compile(pattern, re.IGNORECASE)


def content_text(message: Message) -> str:
    """The text of a message; content parts are joined."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text") or "" for part in content)
