"""Quick checks of the whole way from a line to what is printed."""

import io
import unittest

from abacus import calculate
from abacus.classic.cli import run as classic_run
from abacus.cli import run


def output(*argv):
    out = io.StringIO()
    run(argv, io.StringIO(), out)
    return out.getvalue().splitlines()


class Smoke(unittest.TestCase):
    def test_lines(self):
        self.assertEqual(calculate("2 ^ 10"), "1024")
        self.assertEqual(calculate("mean(1, 2, 6)"), "3")
        self.assertEqual(output("side = 4", "side * 2"), ["4", "8"])

    def test_explanation(self):
        lines = output("--explain", "side * 1 + 2 * 3")
        self.assertEqual(lines[1:3], ["worked   side + 6", "steps    7, then 1"])

    def test_set(self):
        self.assertEqual(output("--set", "k=3", "k * k"), ["9"])

    def test_classic(self):
        out = io.StringIO()
        classic_run("1 / 3 * 3", out)
        self.assertEqual(out.getvalue(), "((1/3)*3)=0.99\n")
