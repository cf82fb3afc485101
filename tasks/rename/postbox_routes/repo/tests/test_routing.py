"""Routes, places, and routes that send on."""

import unittest

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.routing import Route, Router, moved


def told(request, site, **places):
    return Response(repr(sorted(places.items())))


class Routing(unittest.TestCase):
    def test_places(self):
        router = Router([Route("GET", "/shelf/<book>/<side>", told)])
        handler, places = router.find(Request("GET", "/shelf/9/b"))
        self.assertEqual(places, {"book": "9", "side": "b"})
        self.assertIs(handler, told)

    def test_a_place_holds_no_slash(self):
        with self.assertRaises(PostboxError):
            Router([Route("GET", "/shelf/<book>", told)]).find(Request("GET", "/shelf/9/b"))

    def test_moved(self):
        route = moved("GET", "/old/<book>", "/shelf/<book>", 302)
        answer = route.handler(Request("GET", "/old/9", {"q": "x"}), None, book="9")
        self.assertEqual((answer.status, answer.headers), (302, {"Location": "/shelf/9?q=x"}))


if __name__ == "__main__":
    unittest.main()
