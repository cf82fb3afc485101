"""The old word is gone from our names, and every kind works as before."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = [*sorted(ROOT.glob("tagging/*.py")), ROOT / "src/validators/finance.py"]


def names_in(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for field in ("name", "id", "arg", "attr"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_no_old_names(path):
    assert [n for n in names_in(path) if "checksum" in n.lower() or n.endswith("_sum")] == []


def test_kinds_still_work():
    from tagging.printer import label
    from tagging.scanner import kind_of, sort_lines

    codes = ["4006381333931", "RR473124829CN", "340123450000000017", "CSQU3054383"]
    assert [kind_of(code) for code in codes] == ["article", "parcel", "pallet", "box"]
    assert sort_lines(["CSQU3054384"]) == ({}, ["CSQU3054384: misread box"])
    assert label("CSQU3054383", 1, trainee=True)[1] == "CSQU305438<3>"


def test_library_still_works():
    import validators

    assert validators.isin("US0378331005")
    assert validators.cusip("037833DP2")
    assert not validators.isin("US0378331006")


def test_edition_log_and_terms():
    from tagging import RULES_EDITION

    assert RULES_EDITION == 12
    log = (ROOT / "docs/log.md").read_text(encoding="utf-8")
    assert log.index("check_code") < log.index("## 5.2")
    assert "- check code:" in (ROOT / "docs/terms.md").read_text(encoding="utf-8")


def test_guard_is_there():
    assert "def test_" in (ROOT / "tests_tagging/test_words.py").read_text(encoding="utf-8")
