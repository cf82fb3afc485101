"""The courier looks up how many notices a box has."""

from __future__ import annotations

from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site

SENDER = "courier"


def count_feed(request: Request, site: Site, box: str) -> Response:
    """Number of notices that the courier has left in a box."""
    found = [message for message in site.store.messages(box) if message.sender == SENDER]
    return Response.of_json({"box": box, "notices": len(found)})


ROUTES = [
    Route("GET", "/gate-feed/<box>", count_feed),
]
