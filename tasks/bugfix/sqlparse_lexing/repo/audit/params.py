"""Parameter sheet of the auditors: how often each parameter stands in a script."""

from __future__ import annotations

import re
from collections import Counter

_MARK = re.compile(r"\?|:\w+")


def sheet(text: str) -> Counter[str]:
    """Parameter -> number of places."""
    return Counter(_MARK.findall(text))
