"""Every limit at its edge: just before, exactly at, just after."""

from pathlib import Path

import pytest

from postbox import PostboxError, clock
from postbox.app import build
from postbox.backoff import delay
from postbox.config import Config
from postbox.http import Request
from postbox.site import Site

ROOT = Path(__file__).resolve().parent.parent
VALUES = {
    "house_code": "blue door",
    "burst": 3,
    "per_second": 2,
    "box_messages": 8,
    "page_size": 4,
    "login_tries": 2,
    "lockout_s": 600,
    "notice_tries": 3,
    "feed_entries": 5,
    "words": 40,
}


@pytest.fixture
def site():
    made = Site(Config(VALUES))
    made.store.make("attic", "ines")
    return made


@pytest.fixture
def at(monkeypatch):
    def set_to(seconds):
        monkeypatch.setattr(clock, "ticks", lambda: seconds)
        monkeypatch.setattr(clock, "wall", lambda: float(seconds))

    return set_to


def test_burst_after_a_pause(site):
    assert site.limiter.take("omar", 0)
    assert [site.limiter.take("omar", 1000) for _ in range(5)] == [True] * 3 + [False] * 2


def test_box_and_share(site):
    for _ in range(4):
        site.quota.check(site.store, "attic", "omar")
        site.store.drop("attic", "omar", "x", 1)
    with pytest.raises(PostboxError):
        site.quota.check(site.store, "attic", "omar")
    for _ in range(4):
        site.quota.check(site.store, "attic", "ruth")
        site.store.drop("attic", "ruth", "x", 1)
    with pytest.raises(PostboxError):
        site.quota.check(site.store, "attic", "piet")


def test_pages(site):
    assert [site.pager.pages(range(n)) for n in (0, 1, 4, 5, 8, 9)] == [1, 1, 1, 2, 2, 3]
    pages = [site.pager.page(range(9), number) for number in (1, 2, 3)]
    assert [n for page in pages for n in page] == list(range(9))


def test_token_ends_on_the_second(site, at):
    at(1000)
    token = site.signer.issue("ines")
    at(1000 + site.signer.life - 1)
    assert site.signer.check(token) == "ines"
    at(1000 + site.signer.life)
    with pytest.raises(PostboxError):
        site.signer.check(token)


def test_lockout_ends(site, at):
    at(1000)
    site.lockout.failed("ines")
    site.lockout.failed("ines")
    with pytest.raises(PostboxError):
        site.lockout.require("ines")
    at(1600)
    site.lockout.require("ines")
    site.lockout.failed("ines")
    site.lockout.require("ines")


def test_failed_notices_rest(site):
    site.outbox.tell("ines", "omar", 1)
    calls = []

    def send(owner, line):
        calls.append(owner)
        return False

    now = 0
    for tries in range(1, 4):
        site.outbox.deliver(send, now)
        site.outbox.deliver(send, now + delay(tries) - 1)
        now += delay(tries)
    site.outbox.deliver(send, now + 9999)
    assert len(calls) == 3


def asked(site, method, path, body=b"", **query):
    headers = {"authorization": "Bearer " + site.signer.issue("ines")}
    return build(site).answer(Request(method, path, query, headers, body))


def test_feed(site):
    for sent in range(7):
        site.store.drop("attic", "omar", "x", sent)
    assert asked(site, "GET", "/boxes/attic/feed").text.count('"ref"') == 5
    assert asked(site, "GET", "/boxes/attic/feed", since="6").text.count('"ref"') == 1


def test_length_in_characters(site):
    fits = ("words=" + "ü" * 40).encode()
    assert asked(site, "POST", "/boxes/attic/messages", fits).status == 201
    assert asked(site, "POST", "/boxes/attic/messages", fits + b"x").status == 413


def test_retry_after_is_never_zero(site, at):
    at(1000)
    answers = [asked(site, "GET", "/health") for _ in range(4)]
    assert answers[-1].status == 429
    assert int(answers[-1].headers["Retry-After"]) == 1


def test_lists():
    rollout = (ROOT / "ops" / "rollout.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in rollout if line.startswith("4 ")] == rollout[3:4]
    table = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert "| 200 |" in table and "| 30 |" in table and "2000 characters" in table
    assert "199" in (ROOT / "edge" / "quota.py").read_text(encoding="utf-8")
    assert (ROOT / "tests" / "test_edges.py").is_file()
