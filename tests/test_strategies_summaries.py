"""A summariser that says nothing, everything, or too much: handled by rule, told in the record."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fixtures import write_fixture
from runs import run_here

from harness.text import content_text

MUCH = "The helpers are renamed one by one. " * 2000


class Odd(BaseHTTPRequestHandler):
    """An endpoint whose model's name says how it sums up."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        whole = "\n".join(
            f"{content_text(m)} {json.dumps(m.get('tool_calls') or '')}" for m in body["messages"]
        )
        said = {"nothing": "", "everything": whole, "much": MUCH}[body["model"]]
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        answer = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, **choice}],
            "usage": usage,
        }
        data = json.dumps(answer).encode("utf-8")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Not to standard error."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("nothing", "empty_summary"),
        ("everything", "summary_not_shorter"),
        ("much", "summary_cut"),
    ],
)
async def test_an_odd_summary_is_told_in_the_record(
    name: str, note: str, endpoint: str, tmp_path: Path
) -> None:
    write_fixture(tmp_path / "tasks")
    folder, _ = await run_here(
        "strategy=bare",
        "study.beside=[]",
        "study.controls=[]",
        "seam=early",
        "budget.summary_share=0.2",
        "summariser=endpoint",
        f"summariser.base_url={endpoint}",
        f"summariser.name={name}",
        f"tasks.path=[{tmp_path / 'tasks'}]",
        f"run.results={tmp_path}",
        "run.name=r",
    )
    (record,) = folder.records()
    assert record["status"] == "scored"
    assert note in record["notes"]
    budget = round(0.2 * record["view_tokens"]["before"])
    assert record["budget"]["used"]["summary"] <= budget
    assert (record["budget"]["used"]["summary"] == 0) == (name == "nothing")
