"""A digest from the store to the outbox."""

import ast
import re
from pathlib import Path

import pytest

from postbox import cli, clock
from postbox.app import build
from postbox.digest import collect, compose
from postbox.http import Request
from postbox.render import mail
from postbox.site import Site

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def site():
    made = Site(port=1)
    made.store.make("attic", "ines")
    made.store.make("cellar", "omar")
    return made


def test_collects_what_is_unread_and_new(site):
    site.store.drop("attic", "omar", "old", 10)
    site.store.drop("attic", "omar", "read", 30)
    site.store.drop("attic", "omar", "new", 40)
    site.store.mark(2)
    assert [m.words for m in collect(site.store, "ines", 20).messages] == ["new"]
    assert collect(site.store, "omar", 0).messages == ()


def test_twenty_at_most(site):
    for number in range(25):
        site.store.drop("attic", "omar", f"message {number}\nmore", 100 + number)
    lines = compose(collect(site.store, "ines", 0)).splitlines()
    assert sum(line.startswith("- omar") for line in lines) == 20
    assert "5" in lines[-1]
    assert not any(line == "more" for line in lines)


def test_log_of_digests(site):
    assert site.store.digest_at("ines") == 0
    site.store.note_digest("ines", 50)
    site.store.note_digest("ines", 70)
    assert site.store.digest_at("ines") == 70


def test_command(site, capsys):
    site.store.drop("attic", "omar", "hello", clock.ticks())
    site.store.drop("cellar", "ines", "hello", clock.ticks())
    token = site.signer.issue("omar", clock.ticks())
    asked = Request("POST", "/settings/mutes", headers={"authorization": f"Bearer {token}"})
    assert build(site).answer(asked).status == 201
    assert cli.COMMANDS["digest"](site) == 0
    assert [notice.owner for notice in site.outbox.fetch()] == ["ines"]
    assert site.store.digest_at("ines") > 0
    assert site.store.digest_at("omar") == 0


def test_mute_needs_a_tenant(site):
    assert build(site).answer(Request("POST", "/settings/mutes")).status == 401


def test_wording():
    told = re.compile(r"digest|once a day|daily|(every|each) (day|evening)|summary", re.I)
    assert told.search(mail("notice", sender="a", first="b", link="c"))
    assert told.search(mail("welcome", owner="a", box="b"))


def test_lists():
    crontab = (ROOT / "ops" / "crontab.txt").read_text(encoding="utf-8")
    assert crontab.count("18:30 digest") == 1
    table = (ROOT / "docs" / "mails.md").read_text(encoding="utf-8")
    assert re.search(r"^\| *`?digest\b", table, re.M | re.I)
    assert "digest" not in (ROOT / "docs" / "billing" / "mails.md").read_text(encoding="utf-8")
    tree = ast.parse((ROOT / "tests" / "test_digest.py").read_text(encoding="utf-8"))
    defined = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert any(name.startswith("test_") for name in defined)
