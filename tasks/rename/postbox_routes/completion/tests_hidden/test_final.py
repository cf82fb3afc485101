"""The service by its new paths; the former ones send on."""

import ast
from pathlib import Path

import pytest

from postbox.app import all_routes, build
from postbox.http import Request
from postbox.site import Site

ROOT = Path(__file__).resolve().parent.parent
MOVED = [
    ("GET", "/open-letter/1", "/messages/1"),
    ("GET", "/list-box/attic", "/boxes/attic"),
    ("GET", "/pull-feed/attic", "/boxes/attic/feed"),
    ("POST", "/drop-letter/attic", "/boxes/attic/messages"),
    ("POST", "/do-login", "/session"),
    ("GET", "/run-find/attic", "/boxes/attic/found"),
    ("POST", "/purge-box/attic", "/boxes/attic/purge"),
]


@pytest.fixture
def app():
    site = Site()
    site.store.load(ROOT / "demo" / "seed.json")
    return build(site)


def asked(app, method, path, tenant="ines", body=b"", query=None):
    token = app.site.signer.issue(tenant, app.site.now())
    headers = {"authorization": f"Bearer {token}"}
    return app.answer(Request(method, path, query or {}, headers, body))


@pytest.mark.parametrize(("method", "old", "new"), MOVED)
def test_old_paths_send_on(app, method, old, new):
    answer = asked(app, method, old)
    assert answer.status in (301, 308)
    assert answer.headers["Location"] == new


def test_new_paths_answer(app):
    assert asked(app, "GET", "/messages/1").status == 200
    page = asked(app, "GET", "/boxes/attic").text
    assert 'href="/messages/1"' in page
    assert "open-letter" not in page
    assert asked(app, "GET", "/boxes/attic/feed").status == 200
    assert asked(app, "POST", "/boxes/attic/messages", "omar", b"words=hello").status == 201
    assert "/messages/4" in app.site.outbox.fetch("ines")[0]
    assert asked(app, "POST", "/session", body=b"tenant=ines&code=blue+door").status == 201
    assert asked(app, "GET", "/boxes/attic/found", query={"q": "parcel"}).text == '{"refs": [2]}'
    assert asked(app, "POST", "/boxes/attic/purge", "janitor").status == 200


def test_handlers_are_nouns_with_a_method():
    for path in (ROOT / "postbox" / "web").glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.args.args[0].arg == "request":
                assert node.name.rpartition("_")[2] in ("get", "post"), node.name


def test_courier_is_as_before():
    paths = {route.path for route in all_routes()}
    assert {"/gate-box/<box>", "/gate-feed/<box>"} <= paths
    note = (ROOT / "postbox" / "gate" / "notify.py").read_text(encoding="utf-8")
    assert "/open-letter/{ref}" in note


def test_the_lists():
    allowed = (ROOT / "deploy" / "allow.txt").read_text(encoding="utf-8").split()
    for beginning in ("/messages", "/boxes", "/session"):
        assert allowed.count(beginning) == 1
    table = (ROOT / "docs" / "routes.md").read_text(encoding="utf-8")
    for _, _, new in MOVED:
        assert new.replace("attic", "<box>").replace("/1", "/<ref>") in table
    assert "open-letter" not in table
