from pathlib import Path

import manual
import mistune
from manual import parser, search
from manual.digest import digest
from manual.paper import card
from manual.parser import html
from manual.speech import speech
from mistune.renderers.markdown import MarkdownRenderer
from mistune.renderers.rst import RSTRenderer

ROOT = Path(manual.__file__).resolve().parent.parent
PLAIN = "> [!WARNING]\n> hot\n>\n> - really\n"
TITLED = "> [!tip] Cold mornings\n> warm the oil\n"
FOLDED = "- a\n\n  > [!NOTE]- More\n  > text\n"


def page(name: str) -> str:
    return (ROOT / f"pages/{name}.md").read_text(encoding="utf-8")


def test_plugin():
    md = mistune.create_markdown(plugins=["callouts"])
    plain = str(md(PLAIN))
    assert "warning" in plain
    assert "[!" not in plain
    assert "<blockquote>" not in plain
    assert "Cold mornings" in str(md(TITLED))
    assert "<details" in str(md(FOLDED))
    assert "<blockquote>" in str(md("> [!SHOUT]\n> x\n"))
    assert "<blockquote>" in str(md("> text [!NOTE]\n"))
    ast = mistune.create_markdown(renderer="ast", plugins=["callouts"])(TITLED)
    assert (ast[0]["type"], ast[0]["attrs"]["tone"]) == ("callout", "tip")


def test_renderers():
    html_of = mistune.create_markdown(plugins=["callouts"])
    again = mistune.create_markdown(renderer=MarkdownRenderer(), plugins=["callouts"])
    for text in (PLAIN, TITLED, FOLDED, "> [!NOTE]\n"):
        assert html_of(str(again(text))) == html_of(text), text
    rest = str(mistune.create_markdown(renderer=RSTRenderer(), plugins=["callouts"])(PLAIN))
    assert rest.startswith(".. warning::\n\n   hot\n")
    assert "Cold mornings" in str(
        mistune.create_markdown(renderer=RSTRenderer(), plugins=["callouts"])(TITLED)
    )


def test_outputs():
    assert parser.PLUGINS.count("callouts") == 1
    assert 'role="alert"' in html(PLAIN)
    assert "Cold mornings" in html(TITLED)
    printed = card(page("brakes") + "\n> [!CAUTION]\n> " + "very long words " * 9 + "\n")
    boxed = printed[printed.upper().index("CAUTION") :]
    assert max(map(len, boxed.splitlines())) <= 46
    assert any("warning" in sentence.lower() for sentence in speech(PLAIN))
    found = digest({"a": PLAIN, "b": TITLED, "c": "> [!CAUTION]\n> " + "x y " * 40})
    assert len(found) == 2
    assert max(map(len, found)) <= 46
    shout = parser.tokens(PLAIN)[0]
    assert search.weight(shout) > search.weight(parser.tokens("hot\n")[0])


def test_pages():
    assert [t["type"] for t in parser.tokens(page("brakes"))].count("callout") == 1
    assert [t["type"] for t in parser.tokens(page("wheels"))].count("callout") == 1
    extras = (ROOT / "docs/extras.md").read_text(encoding="utf-8")
    assert extras.count("| callouts") == 1
