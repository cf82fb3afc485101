"""Take home folders, mail addresses and keys out of whatever is shown."""

from __future__ import annotations

import re
from typing import Any

_HOME = re.compile(
    r"(?:(?:(?<![\w.])|(?<=\\[nt]))(?:/Users/|/home/)|\b[A-Za-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/))"
    r"[^/\\\s\"'`:;,)\]}>|]+"
)
_ROOT = re.compile(r"(?<![\w/])/root(?=/|\b)")
_FOLDED = re.compile(r"(?<![\w])-(?:Users|home)-[A-Za-z0-9_.]+(?=-|\b)")
_MAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_KEYS = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}"
    r"|\bxox[abprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\bglpat-[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*"
)
_BEARER = re.compile(r"\b(Bearer|Basic|token)\s+[A-Za-z0-9_.~+/=-]{16,}", re.I)
_NAMED = re.compile(
    r"((?:api[_-]?key|secret|passw(?:or)?d|token|access[_-]?key)[\"']?\s*[:=]\s*[\"']?)"
    r"[^\s\"',;}]{6,}",
    re.I,
)
_URL = re.compile(r"(\w+://)[^/\s:@]+:[^/\s@]+@")


def redact(value: Any) -> Any:
    """A text, or every text within a JSON value."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {redact(key): redact(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [redact(part) for part in value]
    return value


def _text(text: str) -> str:
    text = _URL.sub(r"\1<login>@", text)
    text = _KEYS.sub("<key>", text)
    text = _BEARER.sub(r"\1 <key>", text)
    text = _NAMED.sub(r"\1<key>", text)
    text = _MAIL.sub("<mail>", text)
    text = _HOME.sub("~", text)
    return _FOLDED.sub("-home", _ROOT.sub("~", text))
