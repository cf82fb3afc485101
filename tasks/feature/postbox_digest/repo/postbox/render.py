"""Mails from templates, pages from strings."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template

TEMPLATES = Path(__file__).with_name("templates")


def mail(name: str, **values: str) -> str:
    """A mail of the template of that name; every place must be filled."""
    text = (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(values)


def page(title: str, lines: list[str]) -> str:
    """A list as an HTML page."""
    rows = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<!doctype html><title>{escape(title)}</title><ul>{rows}</ul>"
