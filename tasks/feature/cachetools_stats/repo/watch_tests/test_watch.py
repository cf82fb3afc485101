import contextlib
import io
import unittest

from cachetools.func import lru_cache

from watch import alarms, cli, panels
from watch.registry import Registry
from watch.snapshot import row, rows, total


class RegistryTest(unittest.TestCase):
    def setUp(self):
        self.registry = Registry()
        self.double = self.registry.entered("double")(lru_cache(maxsize=2)(lambda n: 2 * n))

    def test_names_are_given_once(self):
        with self.assertRaises(ValueError):
            self.registry.enter("double", self.double)
        with self.assertRaises(TypeError):
            self.registry.enter("plain", len)

    def test_rows(self):
        for number in (1, 1, 2):
            self.double(number)
        (taken,) = rows(self.registry, ["double"])
        self.assertEqual((taken["hits"], taken["misses"], taken["size"]), (1, 2, 2))
        self.assertEqual(total([taken, taken], "misses"), 4)
        with self.assertRaises(KeyError):
            rows(self.registry, ["triple"])

    def test_a_cache_that_is_never_hit(self):
        for number in range(25):
            self.double(number)
        taken = row("double", self.double)
        self.assertEqual(alarms.idle(taken), "double: only 0 hits in 25 calls")
        self.assertEqual(len(list(alarms.complaints([taken]))), 2)


class CommandTest(unittest.TestCase):
    def run_with(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = cli.main(arguments)
        return code, out.getvalue()

    def test_table_of_one_function(self):
        code, out = self.run_with("words")
        self.assertEqual((code, out.splitlines()[1].split()[:3]), (0, ["words", "1", "2"]))

    def test_unknown_name(self):
        self.assertEqual(self.run_with("verbs")[0], 2)

    def test_panels(self):
        self.assertEqual(panels.number("alarms"), 4)
