import unittest

from cachetools.func import fifo_cache


class LoadsTest(unittest.TestCase):
    """Our patch of the decorators: an object that counts loads may be handed to them."""

    def test_without_one_nothing_changes(self):
        half = fifo_cache(maxsize=2)(lambda n: n / 2)
        self.assertEqual((half(4), half(4)), (2, 2))
        self.assertIsNone(half.cache_tally)
