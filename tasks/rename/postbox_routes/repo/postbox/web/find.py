"""Looking for words in the messages of a tenant."""

from __future__ import annotations

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site

SHORTEST = 3


def run_find(request: Request, site: Site, box: str) -> Response:
    """Refs of the messages of a box that hold the words `q`."""
    if request.tenant != site.store.owner(box):
        raise PostboxError("look into a box of your own", 403)
    words = request.query.get("q", "").strip().lower()
    if len(words) < SHORTEST:
        raise PostboxError(f"look for {SHORTEST} characters or more")
    found = [m.ref for m in site.store.messages(box) if words in m.words.lower()]
    return Response.of_json({"refs": found})


ROUTES = [
    Route("GET", "/run-find/<box>", run_find),
]
