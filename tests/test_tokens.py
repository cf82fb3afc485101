"""Token counts: those of the package's own public interface, without the cost of its import."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness import tokens

ROOT = Path(__file__).resolve().parents[1]
PUBLIC = """
import json, sys, bpe_openai
encoding = bpe_openai.get_encoding("o200k_base")
print(json.dumps([len(encoding.encode_ordinary(text)) for text in json.load(sys.stdin)]))
"""
TEXTS = [
    "",
    " ",
    "Hello, world",
    "会话被压缩之后，代理还能接着做吗？",
    "tabs\tand\r\nline ends\n\n\n   and blanks   ",
    "naïve café 😀 👩‍💻 ١٢٣ １２３",
    "<|endoftext|> is text here",
    "x" * 5000,
    "half a pair: \ud83d, and the other: \ude00",
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Short texts of every kind, and files of the project in both languages."""
    places = [*ROOT.glob("*.md"), *sorted(ROOT.glob("tasks/*/*/task.yaml"))[:8]]
    return [*TEXTS, *(place.read_text(encoding="utf-8") for place in places)]


def test_counts_are_those_of_the_public_interface(texts: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PUBLIC],
        input=json.dumps(texts),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert [tokens.count(text) for text in texts] == json.loads(done.stdout)


def test_a_text_of_several_megabytes_is_counted_in_parts() -> None:
    text = "one two three\n" * 200_000
    assert tokens.count(text) == pytest.approx(200_000 * tokens.count("one two three\n"), rel=0.001)


def test_a_text_is_cut_to_its_budget() -> None:
    text = "一二三四五六七八九十 and some words. " * 50
    for budget in (0, 1, 7, 100):
        kept = tokens.cut(text, budget)
        assert text.startswith(kept) and tokens.count(kept) <= budget
    assert tokens.cut(text, 100_000) == text
