"""Progress on the terminal: a bar where there is one, whole lines otherwise."""

from __future__ import annotations

import sys
import time
from typing import Any

from harness.terminal import echo, plain


class Progress:
    """Shows counts of ended trials, and waits as they happen. Never an outcome by strategy."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.ended = 0
        self._bar: Any = None
        self._task: Any = None
        self._told = 0.0

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = ("{task.description}", BarColumn(), MofNCompleteColumn())
            self._bar = Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True))
            self._task = self._bar.add_task("trials", total=self.total)
            self._bar.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._bar:
            self._bar.stop()

    def already(self, count: int) -> None:
        """Trials that an earlier start has finished."""
        if count:
            self._line(f"{count} of {self.total} trials are finished already")
        self._advance(count)

    def event(self, kind: str, text: str) -> None:
        """Something happened: kind is prefix, record or wait."""
        if kind == "wait":
            self._line(text)
        elif kind == "record":
            self._advance(1)
            if ": error" in text or ": invalid" in text:
                self._line(text)

    def _advance(self, count: int) -> None:
        self.ended += count
        if self._bar:
            self._bar.update(self._task, completed=self.ended)
        elif time.monotonic() - self._told > 5 or self.ended == self.total:
            self._told = time.monotonic()
            self._line(f"{self.ended} of {self.total} trials")

    def _line(self, text: str) -> None:
        if self._bar:
            self._bar.console.print(plain(text), markup=False, highlight=False)
        else:
            echo(text, beside=True)
