import io

from abacus.config import Settings
from abacus.errors import EvalError, LexError, NameLookupError, ParseError
from abacus.fixes import FIXES, is_fixed
from abacus.lexer import Lexer
from abacus.session import Session, interact

import pytest


def test_variables_and_the_last_result():
    session = Session()
    session.run_line("m = 3")
    assert session.run_line("m * 2") == "6"
    assert session.run_line("ans + 1") == "7"


def test_errors_are_answers():
    session = Session()
    assert session.answer("1 / 0") == ["  ^", "value: division by zero"]
    with pytest.raises(NameLookupError):
        session.run_line("nobody")
    with pytest.raises(EvalError):
        session.run_line("pi = 3")


@pytest.mark.parametrize("text", ["1 +", "(1", "max(1,", "1 = 2", ")"])
def test_what_is_no_line(text):
    with pytest.raises(ParseError):
        Session().run_line(text)


def test_grouping():
    settings = Settings()
    settings.update("group", "yes")
    assert Session(settings).run_line("1234567.5") == "1 234 567.5"


def test_interactive_lines():
    out = io.StringIO()
    interact(Session(), io.StringIO("1 + 1\nquit\n3\n"), out)
    assert out.getvalue() == "> 2\n> "


def test_trouble_has_a_position():
    with pytest.raises(LexError) as caught:
        Lexer("4 $").tokens()
    assert caught.value.position == 2


def test_a_fix_is_listed_once():
    names = [name for name, _ in FIXES]
    assert len(names) == len(set(names))
    assert is_fixed("empty-sum") and not is_fixed("matrices")
