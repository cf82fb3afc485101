"""Messages: reading one, dropping one into a box."""

from __future__ import annotations

from postbox import PostboxError, clock
from postbox.http import Request, Response
from postbox.routing import Route
from postbox.site import Site

LONGEST = 2000


def message_get(request: Request, site: Site, ref: str) -> Response:
    """One message; whoever owns the box has seen it then."""
    message = site.store.message(int(ref))
    if request.tenant not in (site.store.owner(message.box), message.sender):
        raise PostboxError("this message is for somebody else", 403)
    if request.tenant != message.sender:
        site.store.mark(message.ref)
    return Response.of_json({"sender": message.sender, "words": message.words})


def message_post(request: Request, site: Site, box: str) -> Response:
    """A new message in a box; its owner gets word."""
    words = request.field("words")
    if len(words) > LONGEST:
        raise PostboxError(f"a message has at most {LONGEST} characters", 413)
    sender = request.tenant or "a guest"
    ref = site.store.drop(box, sender, words, clock.ticks())
    site.outbox.tell(site.store.owner(box), sender, words, site.link(f"/messages/{ref}"))
    return Response.of_json({"ref": ref}, status=201)


ROUTES = [
    Route("GET", "/messages/<ref>", message_get),
    Route("POST", "/boxes/<box>/messages", message_post),
]
