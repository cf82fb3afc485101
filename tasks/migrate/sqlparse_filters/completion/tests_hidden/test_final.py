import ast
from pathlib import Path

import printshop
import pytest
import sqlparse
from printshop.passes import casing, ending, masks, names, notes, spacing, width
from printshop.pipeline import PASSES, run_one, tidy
from printshop.samples import sample
from sqlparse import tokens as T

ROOT = Path(printshop.__file__).resolve().parent.parent


class Shout:
    stage = "token"

    def process(self, stream):
        for ttype, value in stream:
            yield ttype, f"{value}!" if ttype in T.Name else value


def test_library_takes_filters_of_the_house():
    assert sqlparse.format("select a", house_filters=[Shout()]) == "select a!"
    assert sqlparse.format("select a", keyword_case="upper") == "SELECT a"


@pytest.mark.parametrize("module", PASSES)
def test_every_pass_is_a_filter(module):
    assert not hasattr(module, "apply")
    assert module.PASS.stage in ("token", "stmt", "post")


@pytest.mark.parametrize(
    ("module", "text", "wanted"),
    [
        (casing, "select 'from' from t -- from", "SELECT 'from' FROM t -- from"),
        (
            masks,
            "select 'a@b', \"a@b\", 'it''s a@b' -- 'a@b'",
            "select '***', \"a@b\", '***' -- 'a@b'",
        ),
        (spacing, "select  'a  b',\t a", "select 'a  b', a"),
        (names, "select Aa, `Bb`, \"Cc\", 'Dd' from Ee", "select aa, `Bb`, \"Cc\", 'Dd' from ee"),
        (notes, "select 1 -- kept\n-- TODO ask\n, 2", "select 1 -- kept\n, 2"),
        (ending, "select 1;\nselect 2\n", "select 1;\nselect 2;"),
    ],
)
def test_what_a_pass_does(module, text, wanted):
    assert run_one(module, text) == wanted


def test_width():
    printed = run_one(width, sample("2025"))
    longest = max(map(len, printed.split("\n")))
    assert 50 < longest <= 58
    assert printed.split() == sample("2025").split()


def test_one_run():
    printed = tidy(sample("2025"))
    assert "ines.k" not in printed and "todo" not in printed.lower()
    assert "`Districts`" in printed and "'none  at all'" in printed
    assert printed.count(";") == 3 and printed.endswith(";")
    tree = ast.parse((ROOT / "printshop/pipeline.py").read_text(encoding="utf-8"))
    tidied = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "tidy")
    assert "run_one" not in ast.dump(tidied)


def test_papers_and_tests():
    rows = (ROOT / "docs/moved.csv").read_text(encoding="utf-8").splitlines()
    assert [row.partition(",")[0] for row in rows].count("filters") == 1
    news = (ROOT / "CHANGES.md").read_text(encoding="utf-8").split("## Yearbook 2025")[0]
    assert news.count("filter") == 1
    guide = (ROOT / "docs/house.md").read_text(encoding="utf-8")
    assert "58" in guide and "80" not in guide
    cases = ast.parse((ROOT / "tests_shop/test_passes.py").read_text(encoding="utf-8"))
    assert any(isinstance(n, ast.FunctionDef) and "test_" in n.name for n in ast.walk(cases))
