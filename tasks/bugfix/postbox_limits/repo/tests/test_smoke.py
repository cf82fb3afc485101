"""The service as tenants see it, far from its limits."""

import unittest

from postbox.app import build
from postbox.config import Config
from postbox.http import Request
from postbox.site import Site

VALUES = {
    "house_code": "blue door",
    "burst": 20,
    "per_second": 2,
    "box_messages": 200,
    "page_size": 25,
    "login_tries": 5,
    "lockout_s": 900,
    "notice_tries": 6,
    "feed_entries": 30,
    "words": 2000,
}


def opened():
    site = Site(Config(VALUES))
    site.store.make("attic", "ines")
    return build(site)


class Smoke(unittest.TestCase):
    def setUp(self):
        self.app = opened()
        self.site = self.app.site

    def asked(self, method, path, body=b"", **query):
        headers = {"authorization": "Bearer " + self.site.signer.issue("ines")}
        return self.app.answer(Request(method, path, query, headers, body))

    def test_health(self):
        self.assertEqual(self.app.answer(Request("GET", "/health")).status, 200)

    def test_log_in(self):
        body = b"tenant=ines&code=blue+door"
        self.assertEqual(self.app.answer(Request("POST", "/session", body=body)).status, 201)

    def test_wrong_code(self):
        body = b"tenant=ines&code=red+door"
        self.assertEqual(self.app.answer(Request("POST", "/session", body=body)).status, 401)

    def test_drop_and_read(self):
        self.assertEqual(self.asked("POST", "/boxes/attic/messages", b"words=hello").status, 201)
        self.assertIn("hello", self.asked("GET", "/boxes/attic").text)

    def test_feed(self):
        self.site.store.drop("attic", "omar", "hello", 50)
        self.assertIn('"sent": 50', self.asked("GET", "/boxes/attic/feed", since="10").text)

    def test_notice(self):
        self.site.outbox.tell("ines", "omar", 1)
        self.assertEqual(self.site.outbox.deliver(lambda owner, line: True, 100), 1)


if __name__ == "__main__":
    unittest.main()
