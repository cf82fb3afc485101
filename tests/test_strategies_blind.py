"""No module that makes a view knows a fixture: what is told in it names nothing of the corpus."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.strategies import ADDONS, REGISTRY

ROOT = Path(__file__).resolve().parents[1]
BLIND = ("strategies", "extract", "gateway")
IDENTIFIER = re.compile(
    r"(?<![\w.-])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w*)"
)
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+|[\w-]+\.(?:py|ts|md|json|ya?ml|toml|txt|sql|sh|journal)\b")
OWN = frozenset({*REGISTRY, *ADDONS})
"""Names of strategies, some of which are words of any library."""
COMMANDS = ("run", "own", "full", "generic", "command")
"""Keys of a fixture that hold a command."""
PATHS = ("path", "files", "file")
"""Keys that hold a path, or a list of them."""
WORDS = 5
"""Words from which a fixture's sentence is told apart from common speech."""


def modules() -> dict[str, str]:
    """Every blind module, and every text that one of them reads: name -> text."""
    files = [p for part in BLIND for p in sorted((ROOT / "harness" / part).rglob("*"))]
    files += sorted((ROOT / "configs" / "strategy").iterdir())
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in files
        if path.is_file() and "__pycache__" not in path.parts
    }


def spoken(name: str, text: str) -> str:
    """What a module says: strings and comments. Names of its own code are no speech."""
    if not name.endswith(".py"):
        return text
    kinds = (tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1))
    told = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        told += [token.string] if token.type in kinds else []
        if token.type == tokenize.STRING and "f" not in token.string.partition(token.string[-1])[0]:
            told.append(str(ast.literal_eval(token.string)))
    return "\n".join(told)


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a fixture with the key it stands under."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, key)
    elif isinstance(value, str):
        yield key, value


def told_by(task: Path) -> Iterator[tuple[str, str]]:
    """(kind, text) of what tells a fixture: its names, identifiers, paths, commands, sentences."""
    data = yaml.load(task.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    yield "name", data["id"].split("/")[1]
    yield "name", data["codebase"]
    for path in (task.parent / "repo").rglob("*"):
        if path.is_file():
            yield "path", path.relative_to(task.parent / "repo").as_posix()
    for key, text in leaves(data):
        if key in PATHS and PATH.fullmatch(text):
            yield "path", text
        if key in COMMANDS and " " in text:
            yield "command", " ".join(text.split())
        if key != "content":
            yield from (("path", found) for found in PATH.findall(text))
        yield from (("identifier", found) for found in IDENTIFIER.findall(text))
        if key in ("says", "say", "text", "sample"):
            for line in text.splitlines():
                if len(line.split()) >= WORDS or (len(line) > 12 and not line.isascii()):
                    yield "sentence", line.strip(" -")


@cache
def corpus() -> Mapping[str, frozenset[str]]:
    """Kind -> texts that belong to one codebase alone; what several have is common."""
    where: dict[tuple[str, str], set[str]] = defaultdict(set)
    for task in sorted((ROOT / "tasks").glob("*/*/task.yaml")):
        for told in told_by(task):
            where[told].add(task.parent.name.split("_")[0])
    found: dict[str, set[str]] = defaultdict(set)
    for (kind, text), codebases in where.items():
        if len(codebases) == 1 and len(text) > 4 and text not in OWN:
            found[kind].add(text)
    return {kind: frozenset(texts) for kind, texts in found.items()}


def known(text: str, needles: Iterable[str]) -> list[str]:
    """Those of the corpus's texts that a module says, as whole words, whatever their case."""
    low = text.lower()
    return [
        needle
        for needle in needles
        if needle.lower() in low
        and re.search(rf"(?<![\w-]){re.escape(needle.lower())}(?![\w-])", low)
    ]


def test_the_corpus_and_the_modules_are_there() -> None:
    sizes = {kind: len(texts) for kind, texts in corpus().items()}
    assert sizes.keys() == {"name", "identifier", "path", "command", "sentence"}
    assert min(sizes.values()) > 30, sizes
    found = modules()
    for part in BLIND:
        assert sum(name.startswith(f"harness/{part}/") for name in found) >= 5
    assert {"harness/strategies/base.py", "harness/extract/lex_rules.py"} <= found.keys()


@pytest.mark.parametrize("name", modules())
def test_no_blind_module_tells_of_a_fixture(name: str) -> None:
    text = spoken(name, modules()[name])
    found = {kind: hits for kind, texts in corpus().items() if (hits := known(text, texts))}
    assert not found


@pytest.mark.parametrize("kind", ["name", "identifier", "path", "command", "sentence"])
def test_a_module_that_tells_of_one_is_found(kind: str) -> None:
    """In a string, a comment, a docstring, a pattern: one of each kind, planted in real modules."""
    source = modules()["harness/strategies/bare.py"]
    for needle in sorted(corpus()[kind])[::7]:
        quoted = repr(f"see {needle} there")
        for planted in (f"\nHINT = {quoted}\n", f"\n# {needle}\n"):
            assert needle in known(spoken("x.py", source + planted), [needle]), planted
