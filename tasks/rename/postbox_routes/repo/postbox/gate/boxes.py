"""The courier asks whether a box exists and who owns it."""

from __future__ import annotations

from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site


def ask_box(request: Request, site: Site, box: str) -> Response:
    """Owner of a box, for the label on a parcel."""
    return Response.of_json({"box": box, "owner": site.store.owner(box)})


ROUTES = [
    Route("GET", "/gate-box/<box>", ask_box),
]
