"""Where a model is and how it is asked: what can be set, and what of it makes sense."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.endpoint import parse_url
from harness.errors import UserError

APIS = ("chat", "responses")
TOOLS = ("native", "text")
PRICES = ("input", "cached", "output")
_SECRET_NAME = re.compile(r"auth|key|token|secret|cookie|passw", re.IGNORECASE)


@dataclass(frozen=True)
class ModelSpec:
    """One endpoint and its model. None is not sent, or not known.

    key_env: name of the environment variable with the key; timeout_s: of one try, from sending to
    the last byte; temperature, max_output, effort (of reasoning), tool_choice (auto, required, or
    a tool's name): as the API has them; api: chat or responses; tools: native, or text where the
    model has none; window: tokens that fit, told from our own count; prices: USD per million
    tokens of input, cached, output; headers_env: header -> environment variable with its value.
    """

    name: str
    base_url: str
    key_env: str | None = None
    timeout_s: float = 120.0
    temperature: float | None = None
    max_output: int | None = None
    retries: int = 4
    prices: Mapping[str, float] | None = None
    headers: Mapping[str, str] | None = None
    headers_env: Mapping[str, str] | None = None
    api: str = "chat"
    tools: str = "native"
    tool_choice: str | None = None
    effort: str | None = None
    window: int | None = None


def check_spec(spec: Any) -> None:
    """Raises UserError for a setting that cannot be; of a ModelSpec or the configuration of one."""
    if spec.base_url is not None:
        parse_url(spec.base_url)
    if spec.api not in APIS:
        raise UserError(f"model.api: expected {' or '.join(APIS)}, found {spec.api!r}")
    if spec.tools not in TOOLS:
        raise UserError(f"model.tools: expected {' or '.join(TOOLS)}, found {spec.tools!r}")
    if spec.tool_choice and spec.tools == "text":
        raise UserError("model.tool_choice: a model with model.tools=text has no tool choice")
    for name, least in (("window", 1), ("max_output", 1), ("timeout_s", 0.001), ("retries", 0)):
        value = getattr(spec, name)
        if value is not None and not (_is_number(value) and value >= least):
            raise UserError(f"model.{name}: expected a number from {least} on, found {value!r}")
    if spec.temperature is not None and not _is_number(spec.temperature):
        raise UserError(f"model.temperature: expected a number or null, found {spec.temperature!r}")
    for name, price in (spec.prices or {}).items():
        if name not in PRICES or not (price is None or _is_number(price)):
            told = f"expected USD per million tokens of {', '.join(PRICES)}"
            raise UserError(f"model.prices: {told}, found {name}: {price!r}")
    _check_headers(spec.headers or {}, spec.headers_env or {})


def _check_headers(headers: Mapping[str, str], headers_env: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if _SECRET_NAME.search(name):
            told = (
                f"would be stored; put it into a variable: model.headers_env={{{name}: VARIABLE}}"
            )
            raise UserError(f"model.headers: {name} {told}")
        if not (str(value).isascii() and str(value).isprintable()):
            raise UserError(f"model header {name!r} has characters that no header can carry")
    for name in (*headers, *headers_env):
        if not re.fullmatch(r"[!#$%&'*+.^`|~\w-]+", name, re.ASCII):
            raise UserError(f"model header {name!r} is no name of a header")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
