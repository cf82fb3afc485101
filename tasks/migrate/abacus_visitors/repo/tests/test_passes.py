from abacus.errors import EvalError, NoRuleError
from abacus.dispatch import Rules, bridge
from abacus.levels import LEVELS, has_level
from abacus.lexer import Lexer
from abacus.nodes import Name, Number
from abacus.parser import Parser
from abacus.passes.cost import cost_of
from abacus.passes.depth import depth_of
from abacus.passes.fold import folded
from abacus.passes.names import names_in
from abacus.passes.render import text_of
from abacus.passes.simplify import simplified
from abacus.session import Session

import pytest


def tree(text):
    return Parser(Lexer(text).tokens()).parse()


@pytest.mark.parametrize(
    "text",
    ["a = -(1 + b)", "max(1, 2 * x) / 3", "2 ^ (3 ^ 2)", "7 mod 3"],
)
def test_rendering_gives_the_same_tree(text):
    assert text_of(tree(text_of(tree(text)))) == text_of(tree(text))


def test_figures():
    node = tree("max(a, b + 1) * a")
    assert cost_of(node) == 14
    assert depth_of(node) == 4
    assert names_in(node) == ["a", "b"]


def test_shorter_trees():
    assert text_of(folded(tree("2 * 3 + x"))) == "6 + x"
    assert text_of(folded(tree("1 / 0"))) == "1 / 0"
    assert text_of(simplified(tree("--x * 1 + 0"))) == "x"


def test_errors_of_a_line():
    with pytest.raises(EvalError):
        Session().run_line("1 / 0")


def test_a_table_of_rules(monkeypatch):
    size_rules = Rules("size")
    size_rules.add(Number, lambda node, unit: unit)
    assert size_rules(Number(1), 5) == 5
    assert bridge(size_rules)(5).visit(Number(1)) == 5
    with pytest.raises(NoRuleError):
        size_rules(Name("x"), 5)
    monkeypatch.setenv("ABACUS_RULES", "strict")
    with pytest.raises(NoRuleError):
        size_rules.add(Number, lambda node: 2)


def test_a_level_is_listed_once():
    names = [name for name, _ in LEVELS]
    assert len(names) == len(set(names))
    assert has_level("folding")
