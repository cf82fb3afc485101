"""Messages of a box: reading a page of them, dropping one, logging in for it."""

from __future__ import annotations

from hmac import compare_digest

from postbox import PostboxError, clock
from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site


def box_get(request: Request, site: Site, box: str) -> Response:
    """One page of a box, for its owner alone."""
    if request.tenant != site.store.owner(box):
        raise PostboxError("this box belongs to somebody else", 403)
    found = site.store.messages(box)
    number = int(request.query.get("page", "1"))
    shown = [{"ref": m.ref, "words": m.words} for m in site.pager.page(found, number)]
    return Response.of_json({"messages": shown, "pages": site.pager.pages(found)})


def message_post(request: Request, site: Site, box: str) -> Response:
    """A new message in a box; its owner gets word."""
    words = request.field("words")
    if len(words.encode("utf-8")) >= 2000:
        raise PostboxError("this message is too long", 413)
    sender = request.tenant or "a guest"
    site.quota.check(site.store, box, sender)
    ref = site.store.drop(box, sender, words, clock.ticks())
    site.outbox.tell(site.store.owner(box), sender, ref)
    return Response.of_json({"ref": ref}, status=201)


def session_post(request: Request, site: Site) -> Response:
    """A token for a tenant who knows the code of the house."""
    tenant = request.field("tenant")
    site.lockout.require(tenant)
    if not compare_digest(request.field("code"), site.config.value("house_code", "")):
        site.lockout.failed(tenant)
        raise PostboxError("this is not the code of the house", 401)
    site.lockout.passed(tenant)
    return Response.of_json({"token": site.signer.issue(tenant)}, status=201)


ROUTES = [
    Route("POST", "/session", session_post),
    Route("GET", "/boxes/<box>", box_get),
    Route("POST", "/boxes/<box>/messages", message_post),
]
