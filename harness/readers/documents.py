"""Read a JSON document member by member, without holding it as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_SPACE = " \t\r\n"


class DocumentError(Exception):
    """The document is damaged; `key`: the member in which it is, where that is known."""

    def __init__(self, text: str, key: str | None = None) -> None:
        super().__init__(text)
        self.key = key


def members(chunks: Iterator[str], limit: int) -> Iterator[tuple[str | None, Any]]:
    """(key, value) of each member of the outermost object; of lists, each element by itself.

    The elements of an outermost list have the key "". Where several documents follow each other,
    (None, None) stands between them. Raises DocumentError at damage, or at a value of more than
    `limit` characters.
    """
    text = _Text(chunks, limit)
    first = True
    while text.next():
        if not first:
            yield None, None
        first = False
        opening = text.next()
        if opening == "[":
            yield from _elements(text, "")
        elif opening == "{":
            yield from _members(text)
        else:
            raise DocumentError("no JSON object or list")


def _members(text: _Text) -> Iterator[tuple[str, Any]]:
    text.skip()
    while text.next() not in ("}", ""):
        key = text.value("")
        if not isinstance(key, str) or text.next() != ":":
            raise DocumentError("no key where one must be", str(key)[:60])
        text.skip()
        if text.next() == "[":
            yield from _elements(text, key)
        else:
            yield key, text.value(key)
        text.comma("}", key)
    text.close("")


def _elements(text: _Text, key: str) -> Iterator[tuple[str, Any]]:
    text.skip()
    while text.next() not in ("]", ""):
        yield key, text.value(key)
        text.comma("]", key)
    text.close(key)


class _Text:
    """The text still to be read, filled up from the chunks."""

    def __init__(self, chunks: Iterator[str], limit: int) -> None:
        self.chunks = chunks
        self.limit = limit
        self.text = ""
        self.at = 0
        self.over = False
        self.decoder = json.JSONDecoder()

    def next(self) -> str:
        """The next character that is no space, "" at the end; it stays where it is."""
        while True:
            while self.at < len(self.text):
                if self.text[self.at] not in _SPACE:
                    return self.text[self.at]
                self.at += 1
            if not self.more():
                return ""

    def skip(self) -> None:
        self.at += 1

    def more(self) -> bool:
        """Read at least as much again as is held."""
        if self.over:
            return False
        parts = [self.text[self.at :]]
        size, wanted = len(parts[0]), 2 * len(parts[0]) + 1
        for chunk in self.chunks:
            parts.append(chunk)
            size += len(chunk)
            if size >= wanted:
                break
        else:
            self.over = True
        self.text, self.at = "".join(parts), 0
        return True

    def value(self, key: str) -> Any:
        """The value that begins here."""
        self.next()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except (ValueError, RecursionError) as error:
                if isinstance(error, RecursionError) or not self._wait():
                    raise DocumentError("damaged JSON", key) from None
                continue
            # A number at the end of what is held may go on.
            if end == len(self.text) and not self.over:
                self.more()
                continue
            self.at = end
            return value

    def _wait(self) -> bool:
        if len(self.text) - self.at > self.limit:
            return False
        return self.more()

    def comma(self, closing: str, key: str) -> None:
        """A comma, or the closing bracket, which stays."""
        found = self.next()
        if found == ",":
            self.skip()
        elif found != closing:
            raise DocumentError("the document is cut off or damaged here", key)

    def close(self, key: str) -> None:
        """The closing bracket."""
        if not self.next():
            raise DocumentError("the document is cut off here", key)
        self.skip()
