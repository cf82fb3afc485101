"""Pages as plain HTML, without a template engine."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from string import Template

from postbox.store import Message

PAGE = Template("<!doctype html><title>$title</title><h1>$title</h1>$inside")
ROW = Template('<li><a href="/open-letter/$ref">$sender</a>$mark</li>')
MESSAGE = Template("<p>From $sender</p><blockquote>$words</blockquote>")


def page(title: str, inside: str) -> str:
    """A whole page; `inside` is HTML already, the title is not."""
    return PAGE.substitute(title=escape(title), inside=inside)


def box_page(box: str, messages: Sequence[Message]) -> str:
    """What lies in a box; a star stands behind what was not seen yet."""
    rows = [
        ROW.substitute(
            ref=message.ref, sender=escape(message.sender), mark="" if message.seen else " *"
        )
        for message in messages
    ]
    return page(f"Box {box}", f"<ul>{''.join(rows)}</ul>" if rows else "<p>Empty.</p>")


def message_page(message: Message) -> str:
    """One message."""
    inside = MESSAGE.substitute(sender=escape(message.sender), words=escape(message.words))
    return page(f"Message {message.ref}", inside)
