import ast
from pathlib import Path

import loom
import pytest
import sqlparse
from loom.cli import main
from loom.complete import complete
from loom.errors import LoomError
from loom.highlight import highlight
from loom.lexers import lexer_for, plain_lexer
from loom.literals import LITERALS
from loom.reader import leaves, statements
from loom.registry import find, titles
from loom.table import ROWS
from loom.words import windows, words_of
from sqlparse import keywords
from sqlparse import tokens as T
from sqlparse.engine import FilterStack

ROOT = Path(loom.__file__).resolve().parent.parent
SCRIPT = "subscribe temps every 15m retain 2d tumbling;"


def kinds(tokens):
    return {leaf.value: leaf.ttype for leaf in tokens}


def test_library_takes_a_lexer():
    lexer = plain_lexer()
    lexer.add_keywords({"SPOOLED": T.Keyword})
    assert kinds(sqlparse.parse("spooled", lexer=lexer)[0].flatten()) == {"spooled": T.Keyword}
    assert kinds(sqlparse.parse("spooled")[0].flatten()) == {"spooled": T.Name}
    assert [str(part) for part in FilterStack().run("select 1")] == ["select 1"]


def test_row_and_lookup():
    assert list(titles()).count("skein") == 1
    assert [row.name for row in ROWS].count("skein") == 1
    assert find("warp").literals == ("shade",)
    with pytest.raises((ValueError, LoomError), match="frieze"):
        find("frieze")


def test_words_and_literals():
    words = words_of(find("skein"))
    assert {"SUBSCRIBE", "EVERY", "RETAIN"} <= set(words)
    assert words["SUBSCRIBE"] in T.Keyword
    assert "SUBSCRIBE" not in windows.WORDS
    assert set(LITERALS) == {"shade", "duration"}


def test_lexers_are_apart():
    assert T.Literal.Duration not in kinds(leaves("select 15m")).values()
    assert len(keywords.SQL_REGEX) == len(plain_lexer()._SQL_REGEX)
    found = dict((value, ttype) for ttype, value in lexer_for("skein").get_tokens(SCRIPT))
    assert found["15m"] is T.Literal.Duration and found["2d"] is T.Literal.Duration
    assert found["subscribe"] in T.Keyword and found["every"] in T.Keyword
    assert lexer_for("skein") is not lexer_for("warp")
    with pytest.raises((ValueError, LoomError)):
        lexer_for("frieze")


def test_reader_and_colours():
    assert len(statements(SCRIPT + SCRIPT, "skein")) == 2
    shown = highlight(SCRIPT, "skein")
    assert shown.startswith("<blue:subscribe> ") and ":15m>" in shown
    assert ":15m>" not in highlight("a 15m")
    assert highlight("weave #A0B1C2", "warp").startswith("<blue:weave>")


def test_completing():
    assert "SUBSCRIBE" in complete("subs", "skein")
    assert "SUBSCRIBE" not in complete("subs")
    with pytest.raises(LoomError):
        complete("", "skein")


def test_command_line(tmp_path, capsys):
    script = tmp_path / "a.sql"
    script.write_text(SCRIPT, encoding="utf-8")
    assert main(["--dialect", "skein", "highlight", str(script)]) == 0
    assert "<blue:subscribe>" in capsys.readouterr().out
    assert main(["--dialect", "frieze", "highlight", str(script)]) == 1
    assert "frieze" in capsys.readouterr().err
    assert main(["complete", "sel"]) == 0


def test_news_and_tests():
    news = (ROOT / "NEWS.md").read_text(encoding="utf-8").split("## 4.1")[0]
    assert news.count("Skein") == 1
    cases = ast.parse((ROOT / "tests_loom/test_skein.py").read_text(encoding="utf-8"))
    names = [node.name for node in ast.walk(cases) if isinstance(node, ast.FunctionDef)]
    assert any(name.startswith("test_") for name in names)
