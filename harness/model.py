"""Client for any OpenAI-compatible endpoint: one call, its retries, usage and price."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from harness import chat, endpoint, responses, textproto, tokens
from harness.errors import ContextOverflow, ModelError
from harness.model_spec import ModelSpec, check_spec
from harness.pace import Pace, Turnstile, most_retries, wait_s
from harness.tape import Outcome, Replay, Tape
from harness.types import Message, Reply, Usage

CONNECT_S = 10.0
SHORTEST_SECRET = 8
"""A shorter key is a placeholder; taking it out of what a model says would change its words."""


class Model:
    """One endpoint. Safe for many calls at once in one event loop, at the pace it can bear.

    waited_s: seconds spent waiting between tries, all calls together. tape: records every call, or
    answers it without asking anybody. sleep: for tests. Raises UserError for a setting that cannot
    be, or a missing key.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        tape: Tape | Replay | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        check_spec(spec)
        self.spec = spec
        self.pace = Pace()
        self._turnstile = Turnstile()
        self.waited_s = 0.0
        url = urlsplit(spec.base_url)
        self._api = responses if spec.api == "responses" else chat
        self._local = endpoint.is_loopback(url.hostname or "")
        self._tls = url.scheme == "https"
        self._where = f"{url.hostname}{f':{url.port}' if url.port else ''}{url.path}"
        # Newer OpenAI models refuse max_tokens; most other servers know nothing else.
        self._openai = (url.hostname or "").endswith((".openai.com", ".openai.azure.com"))
        self._tape = tape
        asks = not isinstance(tape, Replay)
        # Never None: the client would send OPENAI_API_KEY to whatever server this is.
        self._key = endpoint.read_key(spec.key_env) if spec.key_env and asks else "none"
        hidden = (spec.headers_env or {}).items() if asks else ()
        self._hidden = {name: endpoint.read_key(variable) for name, variable in hidden}
        keys = [self._key] if spec.key_env and asks else []
        self._secrets = [*keys, *self._hidden.values()]
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
        scope: str = "",
    ) -> Reply:
        """Ask once, with retries by kind; `messages` and `tools` in the OpenAI chat format.

        max_tokens and model_name go before the spec's. on_wait(seconds, kind) is told before every
        wait. scope: the trial or prefix that asks, by which a tape finds the call again. Raises
        ModelError, or ContextOverflow where the messages do not fit the model.
        """
        name, limit = model_name or self.spec.name, max_tokens or self.spec.max_output
        self._require_room(messages, tools, limit or 0)
        made_by = f"{name} {self.spec.api}"
        body = self._body(messages, tools, name, limit, made_by)

        def parse(data: Any) -> Reply:
            return self._api.parse_reply(data, len(messages), made_by)

        if isinstance(self._tape, Replay):
            data = _replayed(self._tape.answer(scope, body))
        else:
            data = await self._recorded(scope, body, parse, on_wait)
        reply = parse(data)
        if tools and self.spec.tools == "text":
            reply = replace(reply, message=textproto.taken(reply.message, tools, len(messages)))
        return reply

    async def models(self) -> list[dict[str, Any]]:
        """What GET /models lists. Raises ModelError where the endpoint cannot say."""
        import openai

        failure = None
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                data = await self._connected().get("/models", cast_to=object)
        except (TimeoutError, openai.APIError, ValueError) as exc:
            failure = self._failure(exc)
        if failure:
            raise failure
        listed = data.get("data") if isinstance(data, dict) else None
        return [entry for entry in listed or [] if isinstance(entry, dict)]

    def open(self) -> None:
        """Load the client and the certificates now, not in the first call's time."""
        if not isinstance(self._tape, Replay):
            self._connected()

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def _require_room(
        self, messages: list[Message], tools: list[dict[str, Any]] | None, limit: int
    ) -> None:
        """Some servers cut what does not fit and say nothing: with a known window we do not ask."""
        if self.spec.window is None:
            return
        told = tokens.count(json.dumps(tools, ensure_ascii=False)) if tools else 0
        size = tokens.count_view(messages) + told + limit
        if size > self.spec.window:
            text = f"{size} tokens by our count, {limit} of them for the answer"
            raise ContextOverflow(self._say(f"{text}; model.window is {self.spec.window}"))

    def _body(
        self,
        messages: list[Message],
        tools: list[dict[str, Any]] | None,
        name: str,
        limit: int | None,
        made_by: str,
    ) -> dict[str, Any]:
        if self.spec.tools == "text":
            messages, tools = textproto.put(messages, tools), None
        options = endpoint.Options(
            model=name,
            limit=limit,
            limit_field="max_completion_tokens" if self._openai else "max_tokens",
            temperature=self.spec.temperature,
            effort=self.spec.effort,
            tool_choice=self.spec.tool_choice,
            made_by=made_by,
        )
        return self._api.request(messages, tools, options)

    async def _recorded(
        self,
        scope: str,
        body: dict[str, Any],
        parse: Callable[[Any], Reply],
        on_wait: Callable[[float, str], None] | None,
    ) -> Any:
        outcome: Outcome = {}
        try:
            outcome["reply"] = await self._persist(body, parse, on_wait)
        except (ModelError, ContextOverflow) as error:
            overflow = isinstance(error, ContextOverflow)
            kind = "context_overflow" if overflow else error.kind
            outcome["error"] = {"kind": kind, "text": str(error)}
            raise
        finally:
            if self._tape and outcome:
                self._tape.record(scope, body, outcome)
        return outcome["reply"]

    async def _persist(
        self,
        body: dict[str, Any],
        parse: Callable[[Any], Reply],
        on_wait: Callable[[float, str], None] | None,
    ) -> Any:
        """The decoded body of a reply that can be parsed, after the tries that its faults take."""
        self._calls += 1
        salt = f"{self.spec.name} {self._calls}"
        tries = 0
        while True:
            entered = await self.pace.enter()
            try:
                data = await self._try(body, parse)
                self.pace.went_well()
                return data
            except ModelError as error:
                if error.kind == "rate_limit" and error.retry:
                    self.pace.refused(entered)
                wait = wait_s(error, tries, salt)
                if wait is None or tries >= most_retries(error.kind, self.spec.retries):
                    if tries:
                        error.args = (f"{error} (tried {tries + 1} times)",)
                    raise
                kind = error.kind
            finally:
                self.pace.leave()
            tries += 1
            if on_wait:
                on_wait(wait, kind)
            self.waited_s += wait
            await self._sleep(wait)

    def _connected(self) -> Any:
        if self._client is None:
            self._client = self._connect()
        return self._client

    def _connect(self) -> Any:
        import openai

        limits = type(openai.DEFAULT_CONNECTION_LIMITS)(
            max_connections=None, max_keepalive_connections=256, keepalive_expiry=30.0
        )
        headers: dict[str, Any] = {**(self.spec.headers or {}), **self._hidden}
        if not self._openai:  # its account names stay at home
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
            # aiohttp: a third of httpx's time for a call where many connections are open.
            http_client=openai.DefaultAioHttpClient(
                limits=limits,
                # A proxy set for the machine cannot reach the machine's own loopback.
                trust_env=not self._local,
                # Reading all certificates takes longer than a whole turn of the loop.
                verify=_trust_nobody() if self._local and not self._tls else True,
            ),
        )

    async def _try(self, body: dict[str, Any], parse: Callable[[Any], Reply]) -> Any:
        import openai

        faults = (openai.APIError, endpoint.BadReply, endpoint.ErrorInBody)
        undecodable = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
        client = self._connected()  # outside of the time limit, which is the endpoint's
        # The failure is raised outside the handler: the original may quote the key.
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                data = await self._post(client, body)
            await self._turnstile.passed()
            secrets = [s for s in self._secrets if len(s) >= SHORTEST_SECRET]
            data = endpoint.scrub_all(data, secrets) if secrets else data
            parse(data)
            return data
        except (TimeoutError, *faults, *undecodable) as exc:
            if isinstance(exc, openai.APIStatusError) and endpoint.filtered(exc.body):
                return self._api.CONTENT_FILTERED
            failure = self._failure(exc)
        raise failure

    async def _post(self, client: Any, body: dict[str, Any]) -> Any:
        # post() and not chat.completions.create(): the typed layer walks every message both ways.
        try:
            return await client.post(self._api.PATH, body=body, cast_to=object)
        except UnicodeEncodeError:  # half a surrogate pair, say from a file name
            text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            clean = json.loads(text)
        return await client.post(self._api.PATH, body=clean, cast_to=object)

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
            kind, text = "bad_reply", f"not a completion: {exc.__cause__ or exc}"
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
        kind, retry = endpoint.kind_of(status, codes, after)
        hint = ""
        if kind == "auth":
            variable = self.spec.key_env
            hint = f" (key from {variable})" if variable else " (no key: set model.key_env)"
        elif kind == "not_found":
            hint = " (check model.name, and that model.base_url ends in /v1 if it has to)"
        elif kind == "bad_request":
            hint = endpoint.advice(words)
        return ModelError(self._say(said) + hint, kind=kind, retry=retry, retry_after=after)

    def _say(self, text: str) -> str:
        text = endpoint.scrub(text, self._secrets)
        return f"model {self.spec.name} at {self._where}: {' '.join(text.split())[:300]}"


def _trust_nobody() -> ssl.SSLContext:
    """For an address without TLS: should it redirect to one with, that is refused."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _replayed(outcome: Outcome) -> Any:
    """The reply of a recorded call, or the error that it ended with."""
    if "error" not in outcome:
        return outcome["reply"]
    kind, text = outcome["error"]["kind"], outcome["error"]["text"]
    raise ContextOverflow(text) if kind == "context_overflow" else ModelError(text, kind=kind)


def cost(usage: Usage, prices: Mapping[str, float] | None, cached: bool = True) -> float | None:
    """USD for `usage`; None where a number or a price that is needed is unknown.

    prices: USD per million tokens for input, cached, output. cached=False: all input at list price.
    """
    from_cache = usage.cached if cached else 0
    if usage.input is None or usage.output is None or from_cache is None:
        return None
    parts = {"input": usage.input - from_cache, "cached": from_cache, "output": usage.output}
    total = 0.0
    for name, number in parts.items():
        price = (prices or {}).get(name)
        if price is None and (number or name != "cached"):
            return None
        total += number * (price or 0.0) / 1e6
    return total
