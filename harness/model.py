"""Client for any OpenAI-compatible chat endpoint: one call, its retries, usage and price."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness import endpoint
from harness.errors import ContextOverflow, ModelError, UserError
from harness.types import Message, Reply, Usage

CONNECT_S = 10.0
LONGEST_WAIT_S = 600.0
BACKOFF_S = {
    "rate_limit": 2.0,
    "server": 2.0,
    "unreachable": 0.5,
    "timeout": 1.0,
    "bad_reply": 0.5,
}
"""First wait by kind, tripled each time; four of `server` outlast a minute of 503."""
FEWER_RETRIES = {"timeout": 1, "bad_reply": 2}
"""Kinds that cost a whole call each time, and seldom pass by themselves."""


@dataclass(frozen=True)
class ModelSpec:
    """Where a model is and how it is asked. Prices are USD per million tokens.

    key_env: name of the environment variable with the key; timeout_s: of one try, from sending to
    the last byte; temperature, max_output: not sent where None; prices: input, cached, output.
    """

    name: str
    base_url: str
    key_env: str | None = None
    timeout_s: float = 120.0
    temperature: float | None = None
    max_output: int | None = None
    retries: int = 4
    prices: Mapping[str, float] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Model:
    """One endpoint. Safe for many calls at once in one event loop; the caller bounds them.

    waited_s: seconds spent waiting between tries, all calls together. sleep: for tests.
    Raises UserError for a bad address, an unusable header or a missing key.
    """

    def __init__(
        self, spec: ModelSpec, *, sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep
    ) -> None:
        self.spec = spec
        self.waited_s = 0.0
        url = endpoint.parse_url(spec.base_url)
        self._local = endpoint.is_loopback(url.hostname or "")
        self._where = f"{url.hostname}{f':{url.port}' if url.port else ''}{url.path}"
        # Newer OpenAI models refuse max_tokens; most other servers know nothing else.
        openai_host = (url.hostname or "").endswith((".openai.com", ".openai.azure.com"))
        self._limit_field = "max_completion_tokens" if openai_host else "max_tokens"
        # Never None: the client would send OPENAI_API_KEY to whatever server this is.
        self._key = endpoint.read_key(spec.key_env) if spec.key_env else "none"
        secrets = [url.password, *map(_header, spec.headers.items())]
        self._secrets = [s for s in secrets if s and len(s) >= 8]
        if spec.key_env:
            self._secrets.append(self._key)
        self._sleep = sleep
        self._client: Any = None
        self._calls = 0

    async def complete(
        self,
        messages: list[Message],
        tools: list[dict[str, Any]] | None = None,
        *,
        max_tokens: int | None = None,
        on_wait: Callable[[float, str], None] | None = None,
        model_name: str | None = None,
    ) -> Reply:
        """Ask once, with retries by kind; `messages` and `tools` in the OpenAI chat format.

        max_tokens and model_name go before the spec's. on_wait(seconds, kind) is told before every
        wait. Raises ModelError, or ContextOverflow where the messages do not fit the model.
        """
        body = self._body(messages, tools, max_tokens, model_name)
        self._calls += 1
        salt = f"{self.spec.name} {self._calls}"
        tries = 0
        while True:
            try:
                return await self._try(body)
            except ModelError as error:
                wait = _wait_s(error, tries, salt)
                limit = min(self.spec.retries, FEWER_RETRIES.get(error.kind, self.spec.retries))
                if not error.retry or tries >= limit or wait > LONGEST_WAIT_S:
                    if tries:
                        error.args = (f"{error} (tried {tries + 1} times)",)
                    raise
                kind = error.kind
            tries += 1
            if on_wait:
                on_wait(wait, kind)
            self.waited_s += wait
            await self._sleep(wait)

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def _body(
        self,
        messages: list[Message],
        tools: list[dict[str, Any]] | None,
        max_tokens: int | None,
        model_name: str | None,
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"model": model_name or self.spec.name, "messages": messages}
        if tools:
            body["tools"] = tools
        if self.spec.temperature is not None:
            body["temperature"] = self.spec.temperature
        if limit := max_tokens or self.spec.max_output:
            body[self._limit_field] = limit
        return body

    def _connect(self) -> Any:
        import openai

        limits = type(openai.DEFAULT_CONNECTION_LIMITS)(
            max_connections=None, max_keepalive_connections=256, keepalive_expiry=30.0
        )
        headers: dict[str, Any] = dict(self.spec.headers)
        if self._limit_field == "max_tokens":  # not OpenAI: its account names stay at home
            headers = {
                "OpenAI-Organization": openai.Omit(),
                "OpenAI-Project": openai.Omit(),
            } | headers
        return openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self.spec.base_url,
            max_retries=0,
            timeout=openai.Timeout(None, connect=CONNECT_S),  # the whole try has its own limit
            default_headers=headers,
            # A proxy set for the machine cannot reach the machine's own loopback.
            http_client=openai.DefaultAsyncHttpxClient(limits=limits, trust_env=not self._local),
        )

    async def _try(self, body: dict[str, Any]) -> Reply:
        import openai

        if self._client is None:
            self._client = self._connect()
        faults = (openai.APIError, endpoint.BadReply, endpoint.ErrorInBody)
        undecodable = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
        # The failure is raised outside the handler: the original may quote the key.
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                data = await self._post(body)
            return endpoint.parse_reply(data, len(body["messages"]))
        except (TimeoutError, *faults, *undecodable) as exc:
            failure = self._failure(exc)
        raise failure

    async def _post(self, body: dict[str, Any]) -> Any:
        # post() and not chat.completions.create(): the typed layer walks every message both ways.
        try:
            return await self._client.post("/chat/completions", body=body, cast_to=object)
        except UnicodeEncodeError:  # half a surrogate pair, say from a file name
            text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            clean = json.loads(text)
        return await self._client.post("/chat/completions", body=clean, cast_to=object)

    def _failure(self, exc: Exception) -> ModelError | ContextOverflow:
        import openai

        if isinstance(exc, openai.APIStatusError):
            after = endpoint.retry_after_s(exc.response.headers)
            return self._refusal(exc.status_code, exc.body or exc.response.text, after)
        if isinstance(exc, endpoint.ErrorInBody):
            return self._refusal(exc.status, exc.error, None)
        cause = type(exc.__cause__).__name__
        if isinstance(exc, TimeoutError):
            kind, text = "timeout", f"no answer within {self.spec.timeout_s:g} s"
        elif cause == "DecodingError" or not isinstance(exc, openai.APIConnectionError):
            kind, text = "bad_reply", f"not a chat completion: {exc.__cause__ or exc}"
        elif isinstance(exc, openai.APITimeoutError):
            kind, text = "unreachable", f"no connection within {CONNECT_S:g} s"
        else:
            kind, text = "unreachable", f"connection failed: {exc.__cause__ or cause}"
        return ModelError(self._say(text), kind=kind, retry=True)

    def _refusal(self, status: int, body: Any, after: float | None) -> ModelError | ContextOverflow:
        words, codes = endpoint.words_of(body)
        said = f"{status} {words}".rstrip()
        if endpoint.overflows(status, f"{codes} {words}"):
            return ContextOverflow(self._say(f"the messages do not fit: {said}"))
        kind, retry = endpoint.kind_of(status, codes)
        hint = ""
        if kind == "auth":
            variable = self.spec.key_env
            hint = f" (key from {variable})" if variable else " (no key: set model.key_env)"
        elif kind == "not_found":
            hint = " (check model.name, and that model.base_url ends in /v1 if it has to)"
        return ModelError(self._say(said) + hint, kind=kind, retry=retry, retry_after=after)

    def _say(self, text: str) -> str:
        text = endpoint.scrub(text, self._secrets)
        return f"model {self.spec.name} at {self._where}: {' '.join(text.split())[:300]}"


def cost(usage: Usage, prices: Mapping[str, float] | None, cached: bool = True) -> float | None:
    """USD for `usage`; None where a price that is needed is unknown.

    prices: USD per million tokens for input, cached, output. cached=False: all input at list price.
    """
    from_cache = usage.cached if cached else 0
    parts = {"input": usage.input - from_cache, "cached": from_cache, "output": usage.output}
    total = 0.0
    for name, tokens in parts.items():
        price = (prices or {}).get(name)
        if price is None and (tokens or name != "cached"):
            return None
        total += tokens * (price or 0.0) / 1e6
    return total


def _header(item: tuple[str, str]) -> str:
    name, value = item
    if not (value.isascii() and value.isprintable()):
        raise UserError(f"model header {name!r} has characters that no header can carry")
    return value


def _wait_s(error: ModelError, tries: int, salt: str) -> float:
    """Seconds before the next try: what the server asked for, or back-off, plus up to a quarter."""
    # From a hash: no shared random state, and calls that fail together do not return together.
    jitter = hashlib.blake2b(f"{salt} {tries}".encode(), digest_size=2).digest()
    spread = 1 + 0.25 * int.from_bytes(jitter, "big") / 65536
    if error.retry_after:  # "0" says nothing
        return error.retry_after * spread
    return BACKOFF_S.get(error.kind, 1.0) * 3**tries * spread
