"""All forms gather their findings; the library no longer has the switch."""

from pathlib import Path

import pytest

import forms
from forms import journal
from forms.findings import Findings
from forms.register import FORMS, moved, submit
from forms.samples import GOOD, WRONG
from validators import ValidationError, length, validator

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def journal_on_the_terminal(monkeypatch):
    monkeypatch.setenv("FORMS_JOURNAL", "-")


@pytest.mark.parametrize("form", FORMS)
def test_moved(form, capsys):
    assert moved(form)
    assert submit(form, GOOD[form]) == []
    assert capsys.readouterr().out == ""
    told = submit(form, WRONG[form])
    assert len(told) == 2
    assert any(line.endswith(": missing") for line in told)
    assert f'"form": "{form}"' in capsys.readouterr().out


def test_fields():
    findings = Findings()
    findings.check("b", length, "abc", max_val=2)
    findings.check("a", length, None)
    assert list(findings.fields()) == ["b", "a"]
    journal.refused("x", findings.fields())


def test_switch_is_gone():
    text = (ROOT / "src/validators/utils.py").read_text(encoding="utf-8")
    assert "r_ve" not in text

    @validator
    def even(value):
        return value % 2 == 0

    assert even(2) is True
    assert isinstance(even(3), ValidationError)
    assert isinstance(even(2, r_ve=True), ValidationError)


def test_level_news_guide():
    assert forms.FORMS_LEVEL == 7
    news = (ROOT / "NEWS.md").read_text(encoding="utf-8")
    assert "all boxes" in news.split("## Summer")[0]
    assert "raised at the first box" not in (ROOT / "docs/guide.md").read_text(encoding="utf-8")
    assert "def test_" in (ROOT / "tests_forms/test_moved.py").read_text(encoding="utf-8")
