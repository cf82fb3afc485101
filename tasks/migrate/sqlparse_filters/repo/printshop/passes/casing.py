"""Keywords in capitals."""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"\b(select|from|join|on|where|and|or|group by|order by|having|as|with|case|when|then|else|end"
    r"|in|desc|distinct)\b",
    re.IGNORECASE,
)


def apply(text: str) -> str:
    """The text with the keywords that the yearbook uses in capitals."""
    return _WORDS.sub(lambda found: found.group().upper(), text)
