"""One message: reading it, dropping it into a box."""

from __future__ import annotations

from postbox import PostboxError
from postbox.http import Request, Response
from postbox.render import message_page
from postbox.routing import Route
from postbox.site import Site

LONGEST = 2000


def open_letter(request: Request, site: Site, ref: str) -> Response:
    """A message as a page; whoever owns the box has seen it then."""
    message = site.store.message(int(ref))
    if request.tenant not in (site.store.owner(message.box), message.sender):
        raise PostboxError("this message is for somebody else", 403)
    if request.tenant != message.sender:
        site.store.mark(message.ref)
    return Response(message_page(message), kind="text/html")


def drop_letter(request: Request, site: Site, box: str) -> Response:
    """A new message in a box; its owner gets word."""
    words = request.field("words")
    if len(words) > LONGEST:
        raise PostboxError(f"a message has at most {LONGEST} characters", 413)
    sender = request.tenant or "a guest"
    ref = site.store.drop(box, sender, words, site.now())
    site.outbox.tell(site.store.owner(box), sender, ref)
    return Response.of_json({"ref": ref}, status=201)


ROUTES = [
    Route("GET", "/open-letter/<ref>", open_letter),
    Route("POST", "/drop-letter/<box>", drop_letter),
]
