import io
import unittest
from datetime import date
from pathlib import Path

from tally import Entry, Posting, parse_journal
from tally.at import vat as austrian
from tally.cli import main
from tally.currency import parse_foreign, settled, to_home, total_in_home
from tally.de import dunning, levy, vat
from tally.discount import STANDARD, Step, Terms, TermsError, parse_terms, reminder, to_pay
from tally.instalments import equal_parts, open_sum, plan
from tally.journal import JournalError
from tally.money import AmountError
from tally.posting import RuleError, apply_rules
from tally.report import compared, history, months
from tally.shares import ShareError, share_postings, shared

BOOK = Path(__file__).resolve().parent.parent / "books" / "demo.journal"
MARCH = date(2024, 3, 4)


def entry(*parts):
    return Entry(MARCH, "T-1", "test", parts)


class Rules(unittest.TestCase):
    def test_tax_is_split_off(self):
        after = apply_rules(entry(Posting("receivable", 11900), Posting("revenue", -11900)))
        self.assertEqual(
            after.postings[1:], (Posting("revenue", -10000), Posting("sales_tax", -1900))
        )
        self.assertEqual(vat.vat_due([after]), 1900)

    def test_more_than_rounding_is_refused(self):
        with self.assertRaises(RuleError):
            apply_rules(entry(Posting("bank", 103), Posting("rent", -100)))

    def test_linz_cuts_off(self):
        self.assertEqual(austrian.net_of(1999, 20), 1665)


class Parts(unittest.TestCase):
    def test_months_take_turns(self):
        self.assertEqual(equal_parts(1000, 3), [334, 333, 333])
        self.assertEqual(equal_parts(-1000, 3), [-334, -333, -333])
        months = plan(1000, 3, date(2024, 12, 1))
        self.assertEqual(months[1].due, date(2025, 1, 1))
        self.assertEqual(open_sum(months, date(2025, 1, 1)), 333)

    def test_weights(self):
        self.assertEqual(shared(900, [2, 1]), [600, 300])
        self.assertEqual(share_postings(900, {"ada": 1, "bo": 0}), [Posting("partner_ada", 900)])
        with self.assertRaises(ShareError):
            shared(900, [0, 0])


class Payment(unittest.TestCase):
    def test_early_payers_pay_less(self):
        self.assertEqual(to_pay(10000, MARCH, date(2024, 3, 10), STANDARD), 9700)
        self.assertEqual(to_pay(10000, MARCH, date(2024, 4, 10), STANDARD), 10000)
        with self.assertRaises(TermsError):
            Terms((Step(40, 3),), 30)

    def test_short_form_of_terms(self):
        self.assertEqual(parse_terms("3/8 2/14 net/30"), STANDARD)
        self.assertEqual(STANDARD.text().count("within"), 3)
        for text in ("3/8", "x/8 net/30", "3 net/30"):
            with self.subTest(text), self.assertRaises(TermsError):
                parse_terms(text)

    def test_reminders(self):
        texts = [reminder(10000, MARCH, date(2024, *day)) for day in ((3, 6), (3, 30), (4, 10))]
        self.assertEqual(
            texts, ["pay by 2024-03-18 and take off 3 %", "", "100.00 are 7 days late"]
        )

    def test_late_payers_pay_more(self):
        self.assertEqual(dunning.interest(365_000, 10), 1270)
        self.assertEqual(dunning.dunned(365_000, MARCH, MARCH), [])

    def test_small_years_are_free(self):
        self.assertEqual(levy.levy_postings([50_000]), [])
        self.assertEqual(levy.levy_on([100_000, 20_000]), 6000)


class Elsewhere(unittest.TestCase):
    def test_rates(self):
        self.assertEqual(to_home(10000, "USD", MARCH), 9203)
        self.assertEqual(to_home(10000, "EUR", MARCH), 10000)
        self.assertEqual(len(settled(10000, "CHF", date(2024, 2, 1), MARCH)), 3)

    def test_foreign_amounts(self):
        self.assertEqual(parse_foreign("USD 1.50"), ("USD", 150))
        self.assertEqual(parse_foreign("1.50"), ("EUR", 150))
        self.assertEqual(total_in_home([("USD", 10000), ("EUR", 1)], MARCH), 9204)
        with self.assertRaises(AmountError):
            parse_foreign("usd 1.50")

    def test_reports(self):
        book = parse_journal(BOOK.read_text(encoding="utf-8"))
        self.assertEqual(months(book).split()[-1], "28.99")
        self.assertEqual(history(book, "receivable").split()[-1], "29.99")
        self.assertEqual(compared(book, book).splitlines()[-1].split(), ["power", "40.00", "40.00"])

    def test_commands(self):
        out = io.StringIO()
        self.assertEqual(
            [main([name, str(BOOK)], out) for name in ("balance", "quotas", "vat")], [0, 0, 0]
        )
        self.assertIn("rent                          66.7 %", out.getvalue())

    def test_bad_line_is_named(self):
        with self.assertRaisesRegex(JournalError, "^2: expected an amount"):
            parse_journal("entry 2024-01-02 X-1 Odd\n  charge bank 1.5\n")


if __name__ == "__main__":
    unittest.main()
