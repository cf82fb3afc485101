"""Logging in: a name and the code of the house against a token."""

from __future__ import annotations

from hmac import compare_digest

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site

HOUSE_CODE = "blue door"


def do_login(request: Request, site: Site) -> Response:
    """A token for a tenant who knows the code of the house."""
    tenant = request.field("tenant")
    if not compare_digest(request.field("code"), HOUSE_CODE):
        raise PostboxError("this is not the code of the house", 401)
    return Response.of_json({"token": site.signer.issue(tenant, site.now())}, status=201)


ROUTES = [
    Route("POST", "/do-login", do_login),
]
