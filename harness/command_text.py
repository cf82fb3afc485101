"""What a command printed, as the model sees it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|(?=\n)|$)"  # titles, links and other strings
    r"|\x1b[ -/]*[0-~]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_NUM = r"\d+(?:\.\d+)?"
_TIMES = [
    (re.compile(rf"\bin {_NUM} ?(s|ms|seconds?|secs?)\b(?: \(\d+:\d\d:\d\d\))?"), r"in 0.00\1"),
    (re.compile(rf"^(real|user|sys)(\s+)\d+m{_NUM}s$", re.M), r"\1\g<2>0m0.000s"),
    (re.compile(rf"^(\s*){_NUM}s (call|setup|teardown)\b", re.M), r"\g<1>0.00s \2"),
    (re.compile(rf"\({_NUM} ?(s|ms)\)"), r"(0.00\1)"),
    (re.compile(rf"\b(duration_ms:?) {_NUM}"), r"\1 0"),
    (re.compile(r"(?<![\w.])\d+\.\d{3,}( ?)(s|ms|us|µs|secs?|seconds?)\b"), r"0.000\1\2"),
    (re.compile(r"\bat 0x[0-9a-f]{6,16}\b"), "at 0x0"),
]


def normalise(text: str, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Output as the model sees it: no terminal escapes or control characters, measured times and
    object addresses made equal, paths of this machine replaced as `names` says (real to shown).

    Times are replaced only in the forms that test runners and `time` print, or with three decimals
    and more, so that a "timeout of 2.5 s" in a file stays what it is.
    """
    for path in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(path) + r"(?![\w.-]*\w)", names[path], text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROL.sub("", _ESCAPES.sub("", text))
    for pattern, replacement in _TIMES:
        text = pattern.sub(replacement, text)
    return text
