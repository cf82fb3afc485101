"""What only the keeper of the house may do."""

from __future__ import annotations

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site

MONTH = 30 * 24 * 3600


def purge_box(request: Request, site: Site, box: str) -> Response:
    """Throw away what was seen and is older than a month."""
    if request.tenant != site.keeper:
        raise PostboxError("only the keeper throws things away", 403)
    site.store.owner(box)
    gone = site.store.purge(box, site.now() - MONTH)
    return Response.of_json({"gone": gone})


ROUTES = [
    Route("POST", "/purge-box/<box>", purge_box),
]
