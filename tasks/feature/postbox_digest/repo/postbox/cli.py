"""Commands of whoever runs the service."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from wsgiref.simple_server import make_server

from postbox.app import build
from postbox.http import Request
from postbox.site import LIVE_PORT, Site


def serve(site: Site) -> int:
    """Answer until somebody presses Ctrl-C."""
    with make_server("127.0.0.1", site.port, build(site)) as server:
        server.serve_forever()
    return 0


def ping(site: Site) -> int:
    """Ask a service of our own whether it is up."""
    answer = build(site).answer(Request("GET", "/health"))
    print(f"{answer.status} {answer.text.strip()}")
    return 0 if answer.status == 200 else 1


COMMANDS = {"serve": serve, "ping": ping}


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; the exit code is the command's."""
    parser = argparse.ArgumentParser(prog="postbox")
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("--port", type=int, default=LIVE_PORT)
    chosen = parser.parse_args(arguments)
    return COMMANDS[chosen.command](Site(port=chosen.port))
