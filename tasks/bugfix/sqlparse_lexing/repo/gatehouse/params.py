"""Parameters that a script waits for."""

from __future__ import annotations

import re

_PARAM = re.compile(r"\?|:\w+|\$\d+|%s")


def params(text: str) -> list[str]:
    """The parameters in the order in which they stand, repeated ones included."""
    return _PARAM.findall(text)
