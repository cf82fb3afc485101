from datetime import date

import pytest

from tally import parse_journal
from tally.accounts import AccountError
from tally.audit import audit, idle_accounts
from tally.report import history, income, months, trial_balance

BOOK = parse_journal("""\
account bank asset
account sales income
account rent expense
entry 2024-01-02 S-1 Sale
  charge bank 50.00
  charge sales -50.00
entry 2024-01-03 R-1 Rent
  charge rent 20.00
  charge bank -20.00
""")


def last(text):
    return text.splitlines()[-1].split()


def test_sums():
    assert last(trial_balance(BOOK)) == ["sum", "0.00"]
    assert last(income(BOOK)) == ["result", "30.00"]
    assert months(BOOK).splitlines()[0].split() == ["2024-01", "30.00"]


def test_history_runs_along():
    row = last(history(BOOK, "bank"))
    assert row == ["2024-01-03", "R-1", "-20.00", "30.00"]
    with pytest.raises(AccountError):
        history(BOOK, "moon")


def test_audit_complains():
    odd = parse_journal("entry 2024-01-02 X-1 Odd\n  charge nowhere 0.00\n")
    texts = [str(each) for each in audit(odd, date(2024, 1, 1))]
    assert texts == [
        "X-1: fewer than two accounts",
        "X-1: dated 2024-01-02, which is in the future",
        "X-1: unknown account nowhere",
        "X-1: zero amount on nowhere",
    ]
    assert audit(BOOK, date(2024, 2, 1)) == []


def test_audit_names_idle_accounts():
    idle = parse_journal("account safe asset\n")
    assert [str(each) for each in idle_accounts(idle)] == ["safe: never used"]
    assert idle_accounts(BOOK) == []
