"""Stands in for llama.cpp's server where there is none: its options, its routes, fixed replies.

Like llama-cpp-python's it refuses messages whose content is null, or not there.

Run as a program. `--say TEXT` before the options of the harness is what every reply says; without
it a reply repeats the last message.
"""

from __future__ import annotations

import argparse
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Handler(BaseHTTPRequestHandler):
    """GET /v1/models and POST /v1/chat/completions."""

    def do_GET(self) -> None:
        self._send({"object": "list", "data": [{"id": self.server.alias, "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not all(isinstance(message.get("content"), str) for message in body["messages"]):
            self._send({"error": {"message": "content: Input should be a string"}}, 422)
            return
        said = self.server.say or body["messages"][-1]["content"]
        message = {"role": "assistant", "content": said}
        self._send(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1234, "completion_tokens": 7, "total_tokens": 1241},
            }
        )

    def _send(self, body: dict, status: int = 200) -> None:
        data = json.dumps(body).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--say")
    parser.add_argument("--pid-file")
    for name in ("--model", "--alias", "--host", "--ctx-size"):
        parser.add_argument(name)
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    if given.pid_file:
        Path(given.pid_file).write_text(str(os.getpid()), encoding="utf-8")
    server = HTTPServer((given.host, given.port), Handler)
    server.alias, server.say = given.alias, given.say
    server.serve_forever()


if __name__ == "__main__":
    main()
