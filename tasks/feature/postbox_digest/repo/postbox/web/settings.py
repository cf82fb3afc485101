"""What tenants set for themselves: so far, which boxes they own."""

from __future__ import annotations

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site


def signed_in(request: Request) -> str:
    """The tenant who asks. Raises PostboxError 401 for a guest."""
    if request.tenant is None:
        raise PostboxError("log in first", 401)
    return request.tenant


def box_post(request: Request, site: Site) -> Response:
    """A new box for the tenant who asks."""
    owner, name = signed_in(request), request.field("name")
    site.store.make(name, owner)
    site.outbox.welcome(owner, name)
    return Response.of_json({"box": name}, status=201)


ROUTES = [
    Route("POST", "/settings/boxes", box_post),
]
