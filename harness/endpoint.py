"""What OpenAI-compatible servers have in common: addresses, keys, error wordings."""

from __future__ import annotations

import ipaddress
import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult, urlsplit

from harness.errors import UserError
from harness.types import Usage

_OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|context_?window_?exceeded"  # codes and types
    r"|maximum (context|model) length"  # OpenAI, vLLM, SGLang, Mistral, OpenRouter
    r"|too long to fit into the model|longer than the model's context"  # vLLM, SGLang
    r"|exceeds? (the )?(available |model's |maximum )*context"  # OpenAI, llama.cpp, Ollama
    r"|context (size|length|window) (has been |was |is )?exceeded"  # llama.cpp
    r"|exceeded (max )?context length|prompt is too long"  # Ollama, Anthropic
    r"|input tokens exceed the configured limit"  # OpenAI
    r"|exceeds the maximum number of (input )?tokens"  # Gemini
    r"|`?inputs`? tokens \+ `?max_new_tokens`? must be"  # TGI
    r"|greater than the context length",  # LM Studio
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Options:
    """What a request says beside messages and tools; None is not sent.

    limit: of output tokens, sent as limit_field. tool_choice: auto, required, or a tool's name.
    made_by: under what name this model's reasoning is kept in messages.
    """

    model: str
    limit: int | None = None
    limit_field: str = "max_tokens"
    temperature: float | None = None
    effort: str | None = None
    tool_choice: str | None = None
    made_by: str = ""


class BadReply(Exception):
    """An answer with status 200 that is no completion; the text says what it lacks."""


class ErrorInBody(Exception):
    """An error object sent with status 200, as some routers do; `status` is what it stands for."""

    def __init__(self, error: Any) -> None:
        super().__init__("error in the body")
        self.error = error
        code = error.get("code") if isinstance(error, dict) else None
        known = code if isinstance(code, int) and 400 <= code < 600 else 500
        self.status = 429 if code == "rate_limit_exceeded" else known


def read_key(variable: str) -> str:
    """The key in the environment variable; UserError, naming only the variable, if unusable."""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UserError(f"the key is missing: set the environment variable {variable}")
    if not (key.isascii() and key.isprintable()):
        raise UserError(f"the key in {variable} has characters that no header can carry")
    return key


def scrub(text: str, secrets: Iterable[str]) -> str:
    """`text` with every secret replaced by three stars."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return text


def scrub_all(value: Any, secrets: Sequence[str]) -> Any:
    """A decoded JSON value with every secret replaced in every text, keys included."""
    if isinstance(value, str):
        return scrub(value, secrets)
    if isinstance(value, dict):
        return {scrub(str(k), secrets): scrub_all(v, secrets) for k, v in value.items()}
    if isinstance(value, list):
        return [scrub_all(part, secrets) for part in value]
    return value


def parse_url(base_url: str) -> SplitResult:
    """Split an endpoint's address; UserError if it is not http(s) with a host and a valid port."""
    try:
        url = urlsplit(base_url)
        good = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        good = False
    shown = re.sub(r"//.*@", "//***@", base_url)
    if not good:
        raise UserError(f"base_url {shown!r}: expected something like http://127.0.0.1:8000/v1")
    if "@" in url.netloc:
        told = "a login in an address would be stored; give a key by key_env, or headers_env"
        raise UserError(f"base_url {shown!r}: {told}")
    if url.query or url.fragment:
        raise UserError(
            f"base_url {url.hostname}{url.path}?...: an address without ? and # is expected"
        )
    return url


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine, without asking a name server."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds from Retry-After (number or date) or retry-after-ms; None if absent or unreadable."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "")
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def kind_of(status: int, codes: str, after: float | None = None) -> tuple[str, bool]:
    """Kind of failure and whether a retry may help, from the status and what Retry-After says."""
    if status == 402 and after is not None:  # money that other calls hold for now
        return "rate_limit", True
    if status == 429:
        return "rate_limit", "insufficient_quota" not in codes
    if status in (401, 402, 403):
        return "auth", False
    if status == 404:
        return "not_found", False
    if status == 408:
        return "timeout", True
    if status == 409 or status >= 500:
        return "server", True
    return "bad_request", False


def words_of(body: Any) -> tuple[str, str]:
    """The message of an error body, and its code and type, whatever shape it has."""
    if not isinstance(body, dict):
        return str(body or ""), ""
    text = body.get("message") or body.get("detail") or body.get("error") or body
    return str(text), f"{body.get('code')} {body.get('type')}"


def overflows(status: int, text: str) -> bool:
    """Whether a refusal says that the messages do not fit the model's context.

    Wordings of OpenAI, vLLM, SGLang, llama.cpp, Ollama, TGI, LM Studio, Anthropic, Gemini. A rate
    limit counted in tokens (429) is none.
    """
    return status != 429 and _OVERFLOW.search(text) is not None


def filtered(body: Any) -> bool:
    """Whether a refusal is that of a content filter: an outcome, as where a reply ends by it."""
    words, codes = words_of(body)
    metadata = body.get("metadata") if isinstance(body, dict) else None
    flagged = isinstance(metadata, dict) and "flagged_input" in metadata  # OpenRouter
    known = re.search(r"content_?filter|content_policy|invalid_prompt", codes, re.I)
    return bool(flagged or known or "ContentPolicyViolationError" in words)  # LiteLLM


def advice(words: str) -> str:
    """What to set where a server refuses a field that other servers want."""
    for field, setting in (
        ("temperature", "model.temperature=null"),
        ("reasoning_effort", "model.effort=null"),
        ("tool_choice", "model.tool_choice=null"),
        ("does not support tools", "model.tools=text"),
        ("tool use", "model.tools=text"),
        ("max_tokens", "model.max_output"),
    ):
        if field in words:
            return f" (see {setting})"
    return ""


def usage_of(usage: Any, input_field: str, output_field: str) -> Usage:
    """Usage from a reply, None for what it does not tell; the two APIs name the fields apart."""
    usage = usage if isinstance(usage, dict) else {}
    inside = usage.get(f"{input_field}_details")
    inside = inside if isinstance(inside, dict) else {}
    beside = usage.get(f"{output_field}_details")
    hidden = beside.get("reasoning_tokens") if isinstance(beside, dict) else None
    counts = (usage.get(input_field), inside.get("cached_tokens"), usage.get(output_field))
    found = (n if isinstance(n, int) else None for n in counts)
    return Usage(*found, hidden if isinstance(hidden, int) else None)


def text_or_none(value: Any) -> str | None:
    """A field that should be a text; anything else says nothing."""
    return utf8(value) if isinstance(value, str) else None


def utf8(text: str) -> str:
    """`text` without half surrogate pairs, which JSON can spell but no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
