import ast
from pathlib import Path

import gatehouse
import pytest
import sqlparse
from gatehouse.counting import statements
from gatehouse.danger import dangers
from gatehouse.excerpt import excerpt
from gatehouse.names import tables
from gatehouse.params import params
from gatehouse.scripts import scripts
from sqlparse.utils import remove_quotes

ROOT = Path(gatehouse.__file__).resolve().parent.parent
TRAY = {script.name: script.text for script in scripts(ROOT / "trays/practice")}


def test_statements_are_counted_by_their_tokens():
    assert statements("insert into t values ('a;b');") == 1
    assert statements("select 1;; -- the end; really\n") == 1
    assert statements("") == 0


def test_the_mark_at_the_start_is_no_token():
    for text in ("\ufeffselect 1", "\ufeffselect 1".encode()):
        assert str(sqlparse.parse(text)[0]) == "select 1"
    assert str(sqlparse.parse("select '\ufeff'")[0]) == "select '\ufeff'"


def test_index_and_rows():
    assert list(TRAY).count("bom.sql") == 1
    lines = (ROOT / "trays/practice/index.txt").read_text(encoding="utf-8").split()
    assert lines.count("bom.sql") == 1
    rows = (ROOT / "docs/patched.md").read_text(encoding="utf-8")
    assert rows.count("| lexing |") == 1 and "| 013 |" in rows


@pytest.mark.parametrize("word", ["go", "Go", "GO", "go 2"])
def test_go_ends_a_statement(word):
    assert len(sqlparse.split(f"select 1\n{word}\nselect 2")) == 2


def test_danger_is_in_the_words():
    assert dangers(TRAY["handover.sql"]) == []
    assert dangers("select 'drop'; /* delete */ select deleted from t") == []
    long = dangers(
        "truncate table wards;\ndelete from shelves where amount = 0 and code = 'abcdefgh';"
    )
    assert long[0] == "truncate table wards;"
    assert len(long) == 2 and len(long[1]) == 48


def test_params_are_placeholders():
    assert params(TRAY["stock.sql"]) == [":first_day"]
    assert params(TRAY["handover.sql"]) == ["$1"]


def test_case_leaves_quoted_names_alone():
    text = 'select `Foo`, [Bar Baz], "Qux", plain from t'
    shown = sqlparse.format(text, identifier_case="upper")
    assert shown.startswith('select `Foo`, [Bar Baz], "Qux", PLAIN')


def test_long_strings_stay_strings():
    assert (
        sqlparse.format("select '''tis the season'", truncate_strings=6) == "select '''tis [...]'"
    )
    assert sqlparse.format("select 'it''s the season'", truncate_strings=3) == "select 'it[...]'"
    assert sqlparse.format("select 'it''s'", truncate_strings=9) == "select 'it''s'"


def test_excerpt_without_comments():
    assert excerpt("/* about\n   this */\n  -- and that\nselect /* c */ 1") == "select 1"
    assert excerpt(TRAY["stock.sql"]) == "select s.code, sum(m.amount)::int as amount fro…"


def test_tables():
    assert tables(TRAY["stock.sql"]) == ["shelf moves", "shelves"]
    assert tables("select 'from a' -- from b\nfrom /* c */ D;") == ["d"]


def test_quotes():
    assert remove_quotes("") == ""
    assert remove_quotes('"') == '"'
    assert remove_quotes("`a`") == "a"


def test_cases_were_added():
    cases = ast.parse((ROOT / "tests_gate/test_lexing.py").read_text(encoding="utf-8"))
    assert any(isinstance(node, ast.FunctionDef) for node in ast.walk(cases))
