"""Quick checks that hold whatever the last digits are."""

import io
import unittest
from decimal import Decimal

from abacus import calculate
from abacus.cli import run
from abacus.money.loans import schedule
from abacus.money.percent import split


class Smoke(unittest.TestCase):
    def test_lines(self):
        for text, printed in (
            ("2 ^ 10", "1024"),
            ("7 mod 3", "1"),
            ("mean(1, 2, 6)", "3"),
            ("-(3 - 5)", "2"),
            ("1200 * 1", "1200"),
        ):
            self.assertEqual(calculate(text), printed)

    def test_table(self):
        out = io.StringIO()
        run(["--places", "2", "--table", "0:1:0.5", "x ^ 2"], None, out)
        self.assertEqual(out.getvalue().split(), "0.00 0.00 0.50 0.25 1.00 1.00".split())

    def test_money(self):
        parts = split(Decimal("80.00"), [Decimal(25), Decimal(75)])
        self.assertEqual(parts, [Decimal("20.00"), Decimal("60.00")])
        self.assertEqual(schedule(Decimal(900), Decimal(0), 9)[-1][2], 0)
