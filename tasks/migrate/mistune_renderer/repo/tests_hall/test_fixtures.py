"""Our copy of mistune against its own examples."""

import mistune
from mistune.directives import Admonition, FencedDirective

from tests import BaseTestCase


class TestAbbr(BaseTestCase):
    parse = staticmethod(mistune.create_markdown(plugins=["abbr"]))


class TestFootnotes(BaseTestCase):
    parse = staticmethod(mistune.create_markdown(plugins=["footnotes"]))


class TestAdmonition(BaseTestCase):
    parse = staticmethod(mistune.create_markdown(plugins=[FencedDirective([Admonition()])]))


TestAbbr.load_fixtures("abbr.txt")
TestFootnotes.load_fixtures("footnotes.txt")
TestAdmonition.load_fixtures("fenced_admonition.txt")
