"""What is kept, and in which order."""

import unittest

from postbox import PostboxError
from postbox.store import Store


class Keeping(unittest.TestCase):
    def setUp(self):
        self.store = Store()
        self.store.make("attic", "ines")
        self.store.make("garden", "ines")
        self.store.make("cellar", "omar")

    def test_newest_first(self):
        for sent in (10, 30, 20):
            self.store.drop("attic", "omar", f"at {sent}", sent)
        self.assertEqual([m.sent for m in self.store.messages("attic")], [30, 20, 10])

    def test_owners(self):
        self.assertEqual(self.store.owners(), ["ines", "omar"])

    def test_taken_and_missing(self):
        with self.assertRaises(PostboxError):
            self.store.make("attic", "omar")
        with self.assertRaises(PostboxError):
            self.store.owner("roof")


if __name__ == "__main__":
    unittest.main()
