import re
from pathlib import Path

import mistune
import placard
from mistune import HTMLRenderer
from mistune.directives import Admonition, FencedDirective
from placard.hall import quotes
from placard.page import Page, make
from placard.steps import STEPS

ROOT = Path(placard.__file__).resolve().parent.parent


def element(html: str, tag: str) -> dict[str, str]:
    found = re.search(rf"<{tag}((?: [^<>]*)?)>", html)
    assert found, html
    return dict(re.findall(r'([\w-]+)="([^"]*)"', found[1]))


def test_method():
    renderer = HTMLRenderer()
    assert renderer.render_tag("b", "x", {"title": 'a"b', "id": None}) == (
        '<b title="a&quot;b">x</b>'
    )
    assert not hasattr(renderer, "safe_url")


def test_hall():
    md = make()
    link = element(str(md('[y](a?b=1&c=2 "t")\n')), "a")
    assert link["href"] == "a?b=1&amp;c=2"
    assert link["title"] == "t"
    assert element(str(md("[[a?b&c|x]]\n")), "audio") == {"src": "a?b&amp;c", "data-role": "audio"}
    assert element(str(md("# One two\n")), "h2") == {"id": "one-two", "data-role": "title"}
    assert element(quotes.quote(Page(), "x"), "blockquote")["data-role"] == "quote"
    assert element(str(md('![a "b"](c.jpg)\n')), "img")["src"] == "c.jpg"


def test_no_style_anywhere():
    md = make()
    table = "| a | b |\n| :-: | --: |\n| 1 | 2 |\n"
    html = str(md(table + "\n![a](b)\n\n> c\n"))
    assert "style=" not in html
    assert "center" in html
    assert "right" in html


def test_plugins():
    md = mistune.create_markdown(plugins=["abbr", "footnotes", FencedDirective([Admonition()])])
    html = str(md('VC[^1]\n\n*[VC]: a & "b"\n\n[^1]: n\n\n```{note}\n:class: x"y\n\nz\n```\n'))
    assert '<abbr title="a &amp; &quot;b&quot;">VC</abbr>' in html
    assert '<sup class="footnote-ref" id="fnref-1"><a href="#fn-1">1</a></sup>' in html
    assert '<section class="admonition note x&quot;y">' in html


def test_papers():
    assert placard.MARKUP == 4
    assert STEPS.count("render-tag") == 1
    guide = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
    assert "render_tag" in guide
    assert "safe_url" not in guide
