import json
import unittest
from datetime import date

from tally import parse_journal
from tally.audit import audit, idle_accounts
from tally.clock import ClockError, today
from tally.export import to_accounts_csv, to_csv, to_json
from tally.hq.export import file_name
from tally.hq.report import sheet
from tally.journal import JournalError, merged, render_entry, render_journal, renumbered
from tally.report import history, income, months

TEXT = """\
account bank asset
account sales income
account rent expense
entry 2024-01-02 S-1 Sale ; at the desk
  charge bank 50.00
  charge sales -50.00
entry 2024-02-03 R-1 Rent
  charge rent 20.00
  charge bank -20.00
"""
BOOK = parse_journal(TEXT)


class Reading(unittest.TestCase):
    def test_entries(self):
        self.assertEqual(BOOK.entries[0].note, "Sale")
        self.assertIn("  charge sales -50.00", render_entry(BOOK.entries[0]).splitlines())

    def test_what_is_written_is_read_back(self):
        self.assertEqual(parse_journal(render_journal(BOOK)).entries, BOOK.entries)
        self.assertEqual([each.ref for each in renumbered(BOOK, "N").entries], ["N-001", "N-002"])

    def test_books_are_merged(self):
        both = merged(BOOK, renumbered(BOOK, "N"))
        self.assertEqual([each.ref for each in both.entries], ["S-1", "N-001", "R-1", "N-002"])
        with self.assertRaisesRegex(JournalError, "in both books: R-1, S-1"):
            merged(BOOK, BOOK)

    def test_bad_line_is_named(self):
        lines = {
            "  charge bank 1.5": "expected an amount",
            "  pay bank 1.50": "expected charge ACCOUNT AMOUNT",
            "entry someday F-2 Fee": "no date",
            "entry": "expected entry DAY REF NOTE",
            "acount bank asset": "expected one of account, entry",
        }
        for line, complaint in lines.items():
            with self.subTest(line), self.assertRaisesRegex(JournalError, f"^10: .*{complaint}"):
                parse_journal(TEXT + line + "\n")


class Printing(unittest.TestCase):
    def test_reports(self):
        self.assertEqual(income(BOOK).split()[-2:], ["result", "30.00"])
        self.assertEqual(months(BOOK).splitlines()[0].split(), ["2024-01", "50.00"])
        self.assertEqual(history(BOOK, "bank").splitlines()[-1], "bank has a debit of 30.00")
        self.assertTrue(sheet(BOOK, "Q1").startswith("QUARTERLY SHEET"))

    def test_exports(self):
        self.assertEqual(json.loads(to_json(BOOK))["entries"][1]["ref"], "R-1")
        self.assertEqual(to_csv(BOOK).splitlines()[1], "2024-01-02,S-1,Sale,bank,50.00")
        self.assertEqual(to_accounts_csv(BOOK).splitlines()[1], "bank,asset,30.00")
        self.assertEqual(file_name("north", "2024Q1"), "HQ-12_north_2024Q1.json")


class Complaints(unittest.TestCase):
    def test_audit(self):
        odd = parse_journal("entry 2024-01-02 X-1 Odd\n  charge nowhere 0.00\n")
        texts = [str(each) for each in audit(odd, date(2024, 1, 1))]
        self.assertEqual(len(texts), 4)
        self.assertEqual(audit(BOOK, date(2024, 3, 1)), [])
        self.assertEqual(len(idle_accounts(parse_journal("account safe asset\n"))), 1)

    def test_clock(self):
        self.assertEqual(today({"TALLY_TODAY": "2024-04-01"}), date(2024, 4, 1))
        with self.assertRaises(ClockError):
            today({"TALLY_TODAY": "soon"})


if __name__ == "__main__":
    unittest.main()
