from abacus import tokens as t
from abacus.errors import ParseError
from abacus.lexer import Lexer
from abacus.nodes import Assign, Binary, Call, Unary, names_used
from abacus.parser import Parser

import pytest


def tree(text):
    return Parser(Lexer(text).tokens()).parse()


def test_product_binds_closer_than_sum():
    node = tree("1 + 2 * 3")
    assert isinstance(node, Binary)
    assert node.operator == t.PLUS
    assert node.right.operator == t.TIMES


def test_power_binds_to_the_right():
    node = tree("2 ^ 3 ^ 2")
    assert node.left.value == 2
    assert node.right.operator == t.POWER


def test_sign_stands_outside_a_power():
    assert isinstance(tree("-2 ^ 2"), Unary)


def test_assignment_and_call():
    node = tree("side = max(1, x)")
    assert isinstance(node, Assign)
    assert isinstance(node.expression, Call)
    assert names_used(node) == ["x"]


def test_nesting_has_a_limit():
    with pytest.raises(ParseError):
        tree("-" * 80 + "1")


@pytest.mark.parametrize("text", ["1 +", "(1", "max(1,", "1 = 2", ")"])
def test_what_is_no_line(text):
    with pytest.raises(ParseError):
        tree(text)
