"""What comes in and what goes out, freed from WSGI."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from postbox import PostboxError

MAX_BODY = 64 * 1024


@dataclass(frozen=True)
class Request:
    """One request. `tenant` is None until a token has been checked."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    tenant: str | None = None

    def form(self) -> dict[str, str]:
        """The body as an HTML form sends it."""
        pairs = parse_qs(self.body.decode("utf-8"), keep_blank_values=True)
        return {name: values[-1] for name, values in pairs.items()}

    def field(self, name: str) -> str:
        """A form field that must be there."""
        value = self.form().get(name, "").strip()
        if not value:
            raise PostboxError(f"the field {name} is empty")
        return value


@dataclass(frozen=True)
class Response:
    """One answer; text is sent as UTF-8."""

    text: str = ""
    status: int = 200
    kind: str = "text/plain"
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_json(cls, value: Any, status: int = 200) -> Response:
        return cls(json.dumps(value, ensure_ascii=False), status, "application/json")


def from_environ(environ: Mapping[str, Any]) -> Request:
    """A request from the WSGI environment. Bodies over MAX_BODY are refused."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > MAX_BODY:
        raise PostboxError(f"a body has at most {MAX_BODY} bytes", 413)
    pairs = parse_qs(environ.get("QUERY_STRING", ""))
    headers = {
        key[5:].replace("_", "-").lower(): value
        for key, value in environ.items()
        if key.startswith("HTTP_")
    }
    return Request(
        method=environ["REQUEST_METHOD"],
        path=environ.get("PATH_INFO") or "/",
        query={name: values[-1] for name, values in pairs.items()},
        headers=headers,
        body=environ["wsgi.input"].read(length) if length else b"",
    )


def to_wsgi(response: Response, start_response: Any) -> Iterable[bytes]:
    """Send a response through WSGI."""
    body = response.text.encode("utf-8")
    headers = [
        ("Content-Type", f"{response.kind}; charset=utf-8"),
        ("Content-Length", str(len(body))),
        *response.headers.items(),
    ]
    phrase = HTTPStatus(response.status).phrase
    start_response(f"{response.status} {phrase}", headers)
    return [body]
