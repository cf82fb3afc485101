import unittest

from watch import demo
from watch.alarms import complaints
from watch.export import lines, parse
from watch.snapshot import rows
from watch.table import render


class SmokeTest(unittest.TestCase):
    def setUp(self):
        demo.exercise()
        self.rows = rows(demo.registry)

    def test_rows_are_shown_and_exported(self):
        self.assertEqual(len(render(self.rows).splitlines()), 4)
        self.assertEqual(parse(lines(self.rows))[0]["cache"], "squares")

    def test_little_use_is_no_alarm(self):
        self.assertEqual(list(complaints(self.rows)), [])
