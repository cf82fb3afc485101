"""The WSGI application: who asks, how often, and which handler answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from postbox import PostboxError, clock
from postbox.http import Request, Response, from_environ, to_wsgi
from postbox.routing import Route, Router
from postbox.site import Site
from postbox.web import feeds, messages


def health(request: Request, site: Site) -> Response:
    """Says that the service is up."""
    return Response("fine\n")


ROUTES = [Route("GET", "/health", health), *messages.ROUTES, *feeds.ROUTES]


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
            request = self._recognise(request)
            asking = request.tenant or "a guest"
            if not self.site.limiter.take(asking, clock.ticks()):
                seconds = int(self.site.limiter.wait(asking))
                return Response("slower\n", 429, headers={"Retry-After": str(seconds)})
            handler, places = self.router.find(request)
            return handler(request, self.site, **places)
        except PostboxError as error:
            return Response(f"{error}\n", error.status)

    def _recognise(self, request: Request) -> Request:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not token:
            return request
        return replace(request, tenant=self.site.signer.check(token))


def build(site: Site) -> App:
    """The application over a site."""
    return App(site, Router(ROUTES))
