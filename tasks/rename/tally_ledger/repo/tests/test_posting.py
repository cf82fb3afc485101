from datetime import date

import pytest

from tally import Entry, Posting
from tally.config import Config
from tally.posting import RuleError, apply_rules, tax_due, void


def entry(*parts):
    return Entry(date(2024, 1, 2), "T-1", "test", parts)


def test_tax_is_split_off():
    before = entry(Posting("receivable", 11900), Posting("revenue", -11900))
    after = apply_rules(before, Config())
    assert after.postings[1:] == (
        Posting("revenue", -10000),
        Posting("sales_tax", -1900),
    )
    assert after.is_balanced()


def test_a_cent_goes_to_rounding():
    before = entry(Posting("bank", 101), Posting("rent", -100))
    after = apply_rules(before, Config())
    assert after.postings[-1] == Posting("rounding", -1)


def test_more_than_rounding_is_refused():
    before = entry(Posting("bank", 103), Posting("rent", -100))
    with pytest.raises(RuleError, match="out of balance by 3 cents"):
        apply_rules(before, Config())


def test_tax_that_is_due():
    sale = entry(Posting("receivable", 11900), Posting("revenue", -11900))
    assert tax_due([apply_rules(sale, Config())], Config()) == 1900


def test_void_works_once():
    sale = entry(Posting("bank", 100), Posting("rent", -100))
    back = void([sale], "T-1", date(2024, 1, 3))
    assert (back.ref, back.postings[0]) == ("T-1-R", Posting("bank", -100))
    with pytest.raises(RuleError, match="reversed before"):
        void([sale, back], "T-1", date(2024, 1, 4))
