"""The feed of a box, for programs that look every few minutes."""

from __future__ import annotations

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site


def feed_get(request: Request, site: Site, box: str) -> Response:
    """The newest messages of a box as JSON; `since` leaves out what is older."""
    if request.tenant != site.store.owner(box):
        raise PostboxError("this feed belongs to somebody else", 403)
    since = int(request.query.get("since", "0"))
    found = [message for message in site.store.messages(box) if message.sent > since]
    entries = [{"ref": message.ref, "sent": message.sent} for message in found[:31]]
    return Response.of_json({"box": box, "entries": entries})


ROUTES = [
    Route("GET", "/boxes/<box>/feed", feed_get),
]
