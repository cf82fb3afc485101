import json

from tally import parse_journal
from tally.config import TERMS_REVISION
from tally.export import to_accounts_csv, to_csv, to_json

BOOK = parse_journal("""\
account bank asset
account sales income
entry 2024-01-02 S-1 Sale
  charge bank 50.00
  charge sales -50.00
""")


def test_json_for_the_portal():
    data = json.loads(to_json(BOOK))
    assert data["terms"] == TERMS_REVISION
    assert data["entries"][0]["charge_lines"] == [
        {"account": "bank", "amount": "50.00"},
        {"account": "sales", "amount": "-50.00"},
    ]


def test_csv_repeats_the_entry():
    assert to_csv(BOOK).splitlines()[1:] == [
        "2024-01-02,S-1,Sale,bank,50.00",
        "2024-01-02,S-1,Sale,sales,-50.00",
    ]


def test_accounts_on_their_usual_side():
    assert to_accounts_csv(BOOK).splitlines()[1:] == [
        "bank,asset,50.00",
        "sales,income,50.00",
    ]
