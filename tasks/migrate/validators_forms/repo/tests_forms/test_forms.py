"""Every form takes its good sample and says something about the wrong one."""

import pytest

from forms import gift_orders, invoice, loans, membership, newsletter, page_name, payouts, visits
from forms.findings import Findings
from forms.register import FORMS, submit
from forms.samples import GOOD, WRONG
from validators import length


@pytest.mark.parametrize("form", FORMS)
def test_samples(form):
    assert submit(form, GOOD[form]) == []
    assert submit(form, WRONG[form])


def test_findings():
    findings = Findings()
    assert findings.check("a", length, "abc", max_val=3)
    assert not findings
    assert not findings.check("b", length, "abc", max_val=2)
    assert not findings.check("c", length, "")
    assert findings.texts() == ["b: refused by length", "c: missing"]


def test_small_helpers():
    assert membership.fee(70) == 12
    subscription = newsletter.Subscription("a@b.c", "new-books")
    assert newsletter.heading(subscription) == "News about new books"
    assert visits.guides_needed(25) == 3
    order = gift_orders.GiftOrder("a@b.c", "4242", 12_000)
    assert gift_orders.portions(order) == [5000, 5000, 2000]
    assert loans.room_of(loans.Loan("QA 1", "x")) == "upstairs"
    assert payouts.needs_second_signature(payouts.Payout("x", "y", 20_000))
    assert invoice.due_line(invoice.Invoice("Club", "x", 1250)).startswith("Club: EUR 12.50")
    assert page_name("loans").startswith("loans-")
