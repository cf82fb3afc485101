"""The quick look: amounts as text, and divisions that come out even or near."""

import unittest

from tally.money import (
    DOWN,
    HALF_EVEN,
    HALF_UP,
    AmountError,
    divided,
    format_cents,
    format_table_cell,
    in_words,
    parse_cents,
    parse_table_cell,
)


class Amounts(unittest.TestCase):
    def test_text_is_read_and_written(self):
        for text, cents in (("12.50", 1250), ("-3.05", -305), ("0.00", 0)):
            with self.subTest(text):
                self.assertEqual(parse_cents(text), cents)
                self.assertEqual(format_cents(cents), text)
        self.assertEqual(parse_cents("120"), 12000)

    def test_cells_of_a_bank(self):
        for text, cents in (("1.234,56 H", -123_456), ("0,50 S", 50)):
            with self.subTest(text):
                self.assertEqual(parse_table_cell(text), cents)
                self.assertEqual(format_table_cell(cents), text)
        self.assertEqual(parse_table_cell("-7,5"), -750)

    def test_cheques(self):
        self.assertEqual(
            in_words(4_211_305), "forty-two thousand one hundred thirteen euros and 05 cents"
        )
        with self.assertRaises(AmountError):
            in_words(-1)

    def test_other_text_is_refused(self):
        for text in ("1.5", "", "twelve", "1,50", "--1"):
            with self.subTest(text), self.assertRaises(AmountError):
                parse_cents(text)


class Divisions(unittest.TestCase):
    def test_modes(self):
        found = [
            [divided(n, 10, how) for n in (14, 15, 16, 25)] for how in (DOWN, HALF_UP, HALF_EVEN)
        ]
        self.assertEqual(found, [[1, 1, 1, 2], [1, 2, 2, 3], [1, 2, 2, 2]])

    def test_odd_denominator(self):
        self.assertEqual(divided(100, 3, HALF_UP), 33)
        self.assertEqual(divided(200, 3, HALF_EVEN), 67)

    def test_unknown_mode_is_refused(self):
        with self.assertRaises(AmountError):
            divided(1, 2, "up")


if __name__ == "__main__":
    unittest.main()
