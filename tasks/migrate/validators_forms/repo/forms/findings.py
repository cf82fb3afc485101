"""What is wrong with a form, box by box."""

from collections.abc import Callable
from typing import Any


class Findings:
    """Texts by box. False while nothing is wrong."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._texts)

    def check(self, field: str, judge: Callable[..., Any], value: Any, **options: Any) -> bool:
        """Judge one box by a validator, whose options follow. True where it is fine.

        A box that is not there, or blank, is noted as missing.
        """
        if value is None or value == "":
            self._texts[field] = "missing"
            return False
        verdict = judge(value, **options)
        if not verdict:
            self._texts[field] = f"refused by {verdict.func.__name__}"
        return bool(verdict)

    def texts(self) -> list[str]:
        """One line per box, in the order of checking."""
        return [f"{field}: {text}" for field, text in self._texts.items()]
