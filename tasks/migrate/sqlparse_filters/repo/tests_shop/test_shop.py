import os
import unittest
from unittest import mock

from press import casing as press_casing
from press import masks as press_masks
from press import width as press_width
from printshop.__main__ import main
from printshop.passes import casing, ending, masks, names, notes, spacing, width
from printshop.pipeline import PASSES, run_one, tidy
from printshop.samples import SampleError, sample


class Shop(unittest.TestCase):
    def test_one_pass_at_a_time(self):
        cases = [
            (casing, "select a from b", "SELECT a FROM b"),
            (masks, "select 'x@y.example', 'x'", "select '***', 'x'"),
            (spacing, "select  a,   b", "select a, b"),
            (names, 'select Aa, "Bb" from Cc', 'select aa, "Bb" from cc'),
            (notes, "select 1\n-- todo ask\n, 2", "select 1\n, 2"),
            (ending, "select 1", "select 1;"),
            (width, "select 1", "select 1"),
        ]
        for module, text, wanted in cases:
            self.assertEqual(run_one(module, text), wanted)

    def test_sample_is_fit_to_print(self):
        printed = tidy(sample("2025"))
        self.assertNotIn("stat.example", printed)
        self.assertNotIn("todo", printed.lower())
        self.assertLessEqual(max(map(len, printed.split("\n"))), 80)
        self.assertEqual(len(PASSES), 7)

    def test_samples_by_year(self):
        with self.assertRaises(SampleError), mock.patch.dict(os.environ, PROOF_YEAR="1999"):
            sample()
        self.assertEqual(main(["order"]), 0)

    def test_press(self):
        self.assertEqual(press_casing.apply("a"), "A")
        self.assertEqual(press_masks.apply("'***'"), "|||")
        self.assertEqual(press_width.apply("a" * 140), "a" * 132)
