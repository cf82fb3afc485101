from pathlib import Path

import manual
from manual.paper import card
from manual.parser import html
from manual.search import search
from manual.speech import speech

PAGES = Path(manual.__file__).resolve().parent.parent / "pages"


def read(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


def test_screen_and_card():
    assert '<div class="wide"><table>' in html(read("wheels"))
    assert card(read("brakes")).startswith("DISC BRAKES\n\nTurn")
    assert "o clean the calliper with alcohol" in card(read("brakes"))


def test_speech_and_search():
    assert speech(read("chain"))[0] == "Now: Chain."
    pages = {name: read(name) for name in ("brakes", "chain", "wheels")}
    assert search("wheel", pages)[0] == "wheels"


def test_plain_quotations_stay_what_they_are():
    assert "<blockquote>" in html("> quoted\n")
