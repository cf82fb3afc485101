"""How long a failed notice rests."""

import unittest

from postbox.backoff import delay


class Backoff(unittest.TestCase):
    def test_twice_as_long_each_time(self):
        self.assertEqual([delay(tries) for tries in (0, 1, 2, 3)], [0, 30, 60, 120])

    def test_never_over_an_hour(self):
        self.assertEqual(delay(500), 3600)


if __name__ == "__main__":
    unittest.main()
