"""The service as tenants see it, along whatever paths it has."""

import unittest
from pathlib import Path

from postbox.app import build
from postbox.http import Request
from postbox.site import Site

SEED = Path(__file__).resolve().parent.parent / "demo" / "seed.json"


def opened():
    site = Site()
    site.store.load(SEED)
    return build(site)


class Smoke(unittest.TestCase):
    def setUp(self):
        self.app = opened()
        self.site = self.app.site

    def test_health(self):
        self.assertEqual(self.app.answer(Request("GET", "/health")).status, 200)

    def test_unknown_path(self):
        self.assertEqual(self.app.answer(Request("GET", "/nowhere")).status, 404)

    def test_wrong_method(self):
        self.assertEqual(self.app.answer(Request("POST", "/health")).status, 405)

    def test_a_false_token_is_refused(self):
        asked = Request("GET", "/health", headers={"authorization": "Bearer ines.1.2"})
        self.assertEqual(self.app.answer(asked).status, 401)

    def test_too_many_tries(self):
        self.site.limiter.burst = 2
        statuses = [self.app.answer(Request("GET", "/health")).status for _ in range(4)]
        self.assertIn(429, statuses)

    def test_a_message_is_kept_and_told(self):
        ref = self.site.store.drop("attic", "omar", "thanks", 1700009000)
        self.site.outbox.tell("ines", "omar", ref)
        self.assertEqual(self.site.store.messages("attic")[0].words, "thanks")
        self.assertEqual(len(self.site.outbox.fetch("ines")), 1)


if __name__ == "__main__":
    unittest.main()
