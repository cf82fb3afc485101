"""From a method and a path to a handler."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from postbox import PostboxError
from postbox.http import Request, Response

Handler = Callable[..., Response]
PLACE = re.compile(r"<([a-z_]+)>")


@dataclass(frozen=True)
class Route:
    """`path` may hold places such as `<box>`; they go to the handler by name."""

    method: str
    path: str
    handler: Handler

    def match(self, path: str) -> dict[str, str] | None:
        """What stands in the places, None where the path is another."""
        pattern = PLACE.sub(r"(?P<\1>[^/]+)", self.path)
        found = re.fullmatch(pattern, path)
        return found.groupdict() if found else None


class Router:
    """Routes in the order in which they were added; the first that fits is taken."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = list(routes)

    def find(self, request: Request) -> tuple[Handler, dict[str, str]]:
        """Handler and places. Raises PostboxError 404, or 405 where only the method is wrong."""
        known = False
        for route in self.routes:
            places = route.match(request.path)
            if places is None:
                continue
            known = True
            if route.method == request.method:
                return route.handler, places
        if known:
            raise PostboxError(f"{request.method} does not work here", 405)
        raise PostboxError(f"nothing lives at {request.path}", 404)
