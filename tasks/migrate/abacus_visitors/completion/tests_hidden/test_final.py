import ast
import io
from pathlib import Path

from abacus import calculate
from abacus import tokens as t
from abacus.cli import run
from abacus.dispatch import Rules
from abacus.levels import LEVELS
from abacus.lexer import Lexer
from abacus.nodes import Binary, Number
from abacus.parser import Parser
from abacus.passes import cost, depth, evaluate, names, render, simplify
from abacus.passes.fold import folded

import pytest

ROOT = Path(__file__).parents[1]
MOVED = [
    *(f"passes/{n}" for n in ("evaluate", "depth", "render", "names", "cost", "simplify")),
    "session",
    "cli",
]


def tree(text):
    return Parser(Lexer(text).tokens()).parse()


@pytest.mark.parametrize("module", MOVED)
def test_nothing_leans_on_visitors(module):
    source = (ROOT / f"abacus/{module}.py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").endswith("visitor")
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("accept", "visit", "visit_below")


@pytest.mark.parametrize("module", [evaluate, depth, render, names, cost, simplify])
def test_each_pass_is_a_table(module):
    assert any(isinstance(value, Rules) for value in vars(module).values())


def test_an_operator_comes_before_its_class():
    kind_rules = Rules("kind")
    kind_rules.add(Binary, lambda node: "other")
    kind_rules.add((Binary, t.PLUS), lambda node: "sum")
    one = Number(1)
    assert kind_rules(Binary(t.PLUS, one, one)) == "sum"
    assert kind_rules(Binary(t.TIMES, one, one)) == "other"


def test_results_are_as_before():
    assert calculate("-2 ^ 2 + max(1, 7 mod 4)") == "-1"
    assert render.text_of(tree("a = -(1 + b)")) == "a = -(1 + b)"
    node = tree("max(a, b + 1) * a")
    assert (cost.cost_of(node), depth.depth_of(node)) == (14, 4)
    assert names.names_in(node) == ["a", "b"]
    shorter = simplify.simplified(folded(tree("--x * 1 + 0")))
    assert render.text_of(shorter) == "x"


def test_command():
    out = io.StringIO()
    run(["--set", "k=3", "k * k"], io.StringIO(), out)
    assert out.getvalue() == "9\n"


def test_told_once():
    assert [name for name, _ in LEVELS].count("tables") == 1
    news = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("## 0.8.6")[0]
    assert news.count("tables of rules") == 1
    assert "Visitor" not in (ROOT / "docs/passes.md").read_text(encoding="utf-8")
