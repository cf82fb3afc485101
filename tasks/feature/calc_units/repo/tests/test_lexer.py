from abacus import tokens as t
from abacus.errors import LexError
from abacus.lexer import Lexer

import pytest


def kinds(text):
    return [token.kind for token in Lexer(text).tokens()]


def test_signs_and_numbers():
    assert kinds("1 + 2.5") == [t.NUMBER, t.PLUS, t.NUMBER, t.END]


def test_two_stars_are_a_power():
    assert kinds("2 ** 3") == kinds("2 ^ 3")


def test_words_and_the_modulo_word():
    assert kinds("rate mod 3") == [t.NAME, t.MOD, t.NUMBER, t.END]


def test_comment_is_dropped():
    assert kinds("1 # one") == [t.NUMBER, t.END]


def test_underscores_group_digits():
    assert Lexer("1_000").tokens()[0].text == "1000"


@pytest.mark.parametrize(("text", "position"), [("1.2.3", 0), ("4 $", 2)])
def test_trouble_has_a_position(text, position):
    with pytest.raises(LexError) as caught:
        Lexer(text).tokens()
    assert caught.value.position == position
