"""One box: what lies in it."""

from __future__ import annotations

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.render import box_page
from postbox.routing import Route
from postbox.site import Site


def list_box(request: Request, site: Site, box: str) -> Response:
    """The messages of a box as a page, the newest first; for its owner alone."""
    if request.tenant != site.store.owner(box):
        raise PostboxError("this box belongs to somebody else", 403)
    return Response(box_page(box, site.store.messages(box)), kind="text/html")


ROUTES = [
    Route("GET", "/list-box/<box>", list_box),
]
