"""The WSGI application: who asks, and which handler answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from postbox import PostboxError, clock
from postbox.http import Request, Response, from_environ, to_wsgi
from postbox.routing import Route, Router
from postbox.site import Site
from postbox.web import messages, settings


def health(request: Request, site: Site) -> Response:
    """Says that the service is up, and where."""
    return Response(site.link("/health") + "\n")


@dataclass
class App:
    """Callable as WSGI wants it."""

    site: Site
    router: Router

    def __call__(self, environ: Mapping[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            response = self.answer(from_environ(environ))
        except PostboxError as error:
            response = Response(f"{error}\n", error.status)
        return to_wsgi(response, start_response)

    def answer(self, request: Request) -> Response:
        """What a handler says; trouble with the request becomes an answer, too."""
        try:
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
            if token:
                tenant = self.site.signer.check(token, clock.ticks())
                request = replace(request, tenant=tenant)
            handler, places = self.router.find(request)
            return handler(request, self.site, **places)
        except PostboxError as error:
            return Response(f"{error}\n", error.status)


def build(site: Site) -> App:
    """The application over a site."""
    routes = [Route("GET", "/health", health), *messages.ROUTES, *settings.ROUTES]
    return App(site, Router(routes))
