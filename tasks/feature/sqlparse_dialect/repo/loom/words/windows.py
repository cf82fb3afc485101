"""Words for windows over a stream, as several dialects share them."""

from __future__ import annotations

from sqlparse import tokens as T

WORDS = {
    "HOPPING": T.Keyword,
    "SLIDING": T.Keyword,
    "TUMBLING": T.Keyword,
    "WATERMARK": T.Keyword,
}
