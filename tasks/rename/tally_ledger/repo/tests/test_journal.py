import pytest

from tally import parse_journal
from tally.accounts import balance_of
from tally.journal import JournalError, render_journal

TEXT = """\
account bank asset
account fees income
entry 2024-01-02 F-1 Yearly fee ; paid at the desk
  charge bank 12.50
  charge fees -12.50
"""


def test_reads_accounts_and_entries():
    book = parse_journal(TEXT)
    assert list(book.chart.accounts) == ["bank", "fees"]
    assert book.entries[0].note == "Yearly fee"
    assert book.entries[0].is_balanced()
    assert balance_of(book.entries, "bank") == 1250


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("  charge bank 1.5", "expected an amount"),
        ("  pay bank 1.50", "expected charge ACCOUNT AMOUNT"),
        ("entry someday F-2 Fee", "no date"),
        ("account bank asset", "open already"),
    ],
)
def test_bad_line_is_named(line, complaint):
    with pytest.raises(JournalError, match=f"^6: .*{complaint}"):
        parse_journal(TEXT + line + "\n")


def test_what_is_written_is_read_back():
    book = parse_journal(TEXT)
    assert parse_journal(render_journal(book)) == book
    assert "  charge fees -12.50" in render_journal(book).splitlines()
