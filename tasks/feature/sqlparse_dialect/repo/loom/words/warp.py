"""Words of the batch machines."""

from __future__ import annotations

from sqlparse import tokens as T

WORDS = {
    "SHUTTLE": T.Keyword,
    "SELVAGE": T.Keyword,
    "WEAVE": T.Keyword.DML,
}
