"""The quick look: every command gets through the demo book."""

import io
import unittest
from pathlib import Path

from tally.cli import COMMANDS, main

BOOK = Path(__file__).resolve().parent.parent / "books" / "demo.journal"


class Smoke(unittest.TestCase):
    def test_commands_end_well(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.assertEqual(main([command, str(BOOK)], io.StringIO()), 0)

    def test_book_adds_up_to_nothing(self):
        out = io.StringIO()
        main(["balance", str(BOOK)], out)
        self.assertEqual(out.getvalue().splitlines()[-1].split(), ["sum", "0.00"])


if __name__ == "__main__":
    unittest.main()
