import io
import tempfile
from pathlib import Path

from abacus import calculate
from abacus.cli import run
from abacus.config import Settings, load_settings
from abacus.errors import EvalError, NameLookupError
from abacus.features import FEATURES, has_feature
from abacus.session import Session, interact

import pytest


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("0.1 + 0.2", "0.3"),
        ("7 mod 3", "1"),
        ("2 ^ 10", "1024"),
        ("sqrt(2) ^ 2", "2"),
        ("round(2.345, 2)", "2.35"),
        ("mean(1, 2, 6)", "3"),
        ("-(3 - 5)", "2"),
        ("10 ^ 30", "1e30"),
    ],
)
def test_results(text, printed):
    assert calculate(text) == printed


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


def test_grouping():
    settings = Settings()
    settings.update("group", "yes")
    assert Session(settings).run_line("1234567.5") == "1 234 567.5"


def test_settings_file():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rc")
        path.write_text("places = 2\nnonsense\n", encoding="utf-8")
        assert load_settings({"ABACUS_RC": str(path)}).places == 2
    assert load_settings({"ABACUS_RC": "off"}).places == 10


def test_interactive_lines():
    out = io.StringIO()
    interact(Session(), io.StringIO("1 + 1\nquit\n3\n"), out)
    assert out.getvalue() == "> 2\n> "


def test_command():
    out = io.StringIO()
    run(["--places", "1", "1 / 3", "ans * 3"], io.StringIO(), out)
    assert out.getvalue() == "0.3\n1\n"


def test_a_feature_is_listed_once():
    names = [name for name, _ in FEATURES]
    assert len(names) == len(set(names))
    assert has_feature("comments") and not has_feature("matrices")
