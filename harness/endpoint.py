"""What OpenAI-compatible servers have in common: addresses, keys, error wordings, reply shapes."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import time
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult, urlsplit

from harness.errors import UserError
from harness.types import Message, Reply, Usage

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


class BadReply(Exception):
    """An answer with status 200 that is no chat completion; the text says what it lacks."""


class ErrorInBody(Exception):
    """An error object sent with status 200, as some routers do; `status` is what it stands for."""

    def __init__(self, error: Any) -> None:
        super().__init__("error in the body")
        self.error = error
        code = error.get("code") if isinstance(error, dict) else None
        self.status = code if isinstance(code, int) and 400 <= code < 600 else 500


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


def parse_url(base_url: str) -> SplitResult:
    """Split an endpoint's address; UserError if it is not http(s) with a host and a valid port."""
    try:
        url = urlsplit(base_url)
        good = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        good = False
    if not good:
        shown = re.sub(r"//[^/]*@", "//***@", base_url)
        raise UserError(f"base_url {shown!r}: expected something like http://127.0.0.1:8000/v1")
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


def kind_of(status: int, codes: str) -> tuple[str, bool]:
    """Kind of failure and whether a retry may help, from the status."""
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


def parse_reply(data: Any, at: int) -> Reply:
    """A reply from a decoded body; `at` numbers the calls that came without an id.

    Raises BadReply, or ErrorInBody where the body is an error.
    """
    if not isinstance(data, dict):
        raise BadReply(f"expected a JSON object, got {str(data)[:80]!r}")
    if data.get("error") and not data.get("choices"):
        raise ErrorInBody(data["error"])
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise BadReply("it has no choices" if not choices else "its first choice has no message")
    return Reply(
        message=_message(message, at),
        usage=_usage(data.get("usage")),
        model=str(data.get("model") or ""),
        fingerprint=data.get("system_fingerprint"),
        finish_reason=choice.get("finish_reason"),
    )


def _message(message: dict[str, Any], at: int) -> Message:
    """What of an assistant message goes back into the history."""
    calls = []
    given = message.get("tool_calls")
    for number, call in enumerate(given if isinstance(given, list) else []):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or call.get("type", "function") != "function":
            continue
        arguments = function.get("arguments")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False) if arguments else ""
        calls.append(
            {
                "id": str(call.get("id") or f"call_{at}_{number}"),
                "type": "function",
                "function": {
                    "name": _utf8(str(function.get("name") or "")),
                    "arguments": _utf8(arguments),
                },
            }
        )
    text = message.get("content") or message.get("refusal")
    if isinstance(text, list):  # content parts
        text = "".join(str(part.get("text") or "") for part in text if isinstance(part, dict))
    text = _utf8(str(text)) if text else None
    if calls:
        return {"role": "assistant", "content": text, "tool_calls": calls}
    return {"role": "assistant", "content": text or ""}  # null without calls is refused by many


def _usage(usage: Any) -> Usage:
    usage = usage if isinstance(usage, dict) else {}
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    counts = (
        usage.get("prompt_tokens"),
        details.get("cached_tokens"),
        usage.get("completion_tokens"),
    )
    return Usage(*(n if isinstance(n, int) else 0 for n in counts))


def _utf8(text: str) -> str:
    """`text` without half surrogate pairs, which JSON can spell but no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
