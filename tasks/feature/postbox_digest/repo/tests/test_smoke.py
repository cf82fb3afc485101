"""The service as tenants see it."""

import unittest

from postbox import clock
from postbox.app import build
from postbox.http import Request
from postbox.site import Site


class Smoke(unittest.TestCase):
    def setUp(self):
        self.site = Site(port=1)
        self.site.store.make("attic", "ines")
        self.app = build(self.site)

    def asked(self, tenant, method, path, body=b""):
        token = self.site.signer.issue(tenant, clock.ticks())
        headers = {"authorization": f"Bearer {token}"}
        return self.app.answer(Request(method, path, {}, headers, body))

    def test_health(self):
        self.assertEqual(self.app.answer(Request("GET", "/health")).status, 200)

    def test_drop_and_read(self):
        dropped = self.asked("omar", "POST", "/boxes/attic/messages", b"words=hello")
        self.assertEqual(dropped.text, '{"ref": 1}')
        self.assertIn("hello", self.asked("ines", "GET", "/messages/1").text)
        self.assertEqual(self.asked("piet", "GET", "/messages/1").status, 403)

    def test_mails(self):
        self.asked("omar", "POST", "/boxes/attic/messages", b"words=hello")
        self.asked("omar", "POST", "/settings/boxes", b"name=cellar")
        told = self.site.outbox.fetch()
        self.assertEqual([notice.owner for notice in told], ["ines", "omar"])
        self.assertIn("http://localhost:1/messages/1", told[0].text)

    def test_guests_have_no_boxes(self):
        asked = Request("POST", "/settings/boxes", body=b"name=cellar")
        self.assertEqual(self.app.answer(asked).status, 401)


if __name__ == "__main__":
    unittest.main()
