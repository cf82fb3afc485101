from placard.page import make
from placard.proof import page


def test_all_texts_make_a_page():
    html = page()
    for part in ("The well</h2>", "<audio controls", "<td", 'class="admonition note"', "<abbr"):
        assert part in html


def test_addresses_are_clean():
    html = str(make()("[x](javascript:alert(1)) and [y](a?b=1&c=2)\n"))
    assert "javascript" not in html
    assert 'href="a?b=1&amp;c=2"' in html
