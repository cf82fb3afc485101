"""Commands of whoever runs the service."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from wsgiref.simple_server import make_server

from postbox.app import all_routes, build
from postbox.http import Request
from postbox.site import open_site


def serve(port: int) -> int:
    """Answer until somebody presses Ctrl-C."""
    with make_server("127.0.0.1", port, build(open_site())) as server:
        server.serve_forever()
    return 0


def routes() -> int:
    """The table of routes, one a line."""
    for route in all_routes():
        print(f"{route.method:6} {route.path:32} {route.handler.__name__}")
    return 0


def selftest() -> int:
    """Open the site and ask it whether it is up."""
    app = build(open_site())
    answer = app.answer(Request("GET", "/health"))
    print(f"{answer.status} {answer.text.strip()}, {len(app.router.routes)} routes")
    return 0 if answer.status == 200 else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; the exit code is the command's."""
    parser = argparse.ArgumentParser(prog="postbox")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve").add_argument("--port", type=int, default=8080)
    commands.add_parser("routes")
    commands.add_parser("selftest")
    chosen = parser.parse_args(arguments)
    if chosen.command == "serve":
        return serve(chosen.port)
    return routes() if chosen.command == "routes" else selftest()
