"""Literals that single dialects have: key -> pattern and token type, as sqlparse wants them."""

from __future__ import annotations

from sqlparse import tokens as T

LITERALS = {
    "shade": (r"#[0-9A-F]{6}\b", T.Literal.Shade),
}
