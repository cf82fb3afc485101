import contextlib
import io
import unittest

from loom.cli import main
from loom.complete import MOST, complete
from loom.highlight import highlight
from loom.reader import leaves, statements
from loom.registry import titles
from loom.table import ROWS
from loom.words import words_of
from loom_next.highlight import highlight as marked


class Desk(unittest.TestCase):
    def test_statements_without_empty_ones(self):
        self.assertEqual(len(statements("select 1;\n-- nothing\n")), 1)
        self.assertEqual([leaf.value for leaf in leaves("a.b")], ["a", ".", "b"])

    def test_colours(self):
        self.assertEqual(highlight("select 'a'"), "<blue:select> <green:'a'>")
        self.assertEqual(marked("select a"), "*select* a")

    def test_words_are_completed(self):
        self.assertIn("SELECT", complete("sel"))
        self.assertEqual(len(complete("s")), MOST)

    def test_every_row_has_words(self):
        self.assertEqual(list(titles())[:2], ["ansi", "warp"])
        self.assertTrue(all(word.isupper() for row in ROWS for word in words_of(row)))

    def test_command_line(self):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.assertEqual(main(["selftest"]), 0)
            self.assertEqual(main(["count", "no/such/file.sql"]), 1)
        self.assertIn("plain.sql: ", out.getvalue())
        self.assertIn("no/such/file.sql", err.getvalue())
