"""Commands of whoever runs the service."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from wsgiref.simple_server import make_server

from postbox.app import build
from postbox.http import Request
from postbox.site import open_site


def serve(port: int) -> int:
    """Answer until somebody presses Ctrl-C."""
    with make_server("127.0.0.1", port, build(open_site())) as server:
        server.serve_forever()
    return 0


def ping() -> int:
    """Open the site, ask it whether it is up, and ring the bell of every box where told so."""
    site = open_site()
    answer = build(site).answer(Request("GET", "/health"))
    print(f"{answer.status} {answer.text.strip()}")
    if site.config.value("bell", False):
        for name in site.config.value("boxes", {}):
            print(f"\a{name} rings")
    return 0 if answer.status == 200 else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; the exit code is the command's."""
    parser = argparse.ArgumentParser(prog="postbox")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve").add_argument("--port", type=int, default=8080)
    commands.add_parser("ping")
    chosen = parser.parse_args(arguments)
    return serve(chosen.port) if chosen.command == "serve" else ping()
