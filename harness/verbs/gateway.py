"""The gateway as a server of its own: the worker or a model, with or without a strategy."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from harness.build import all_tasks, model_spec, worker_backend
from harness.config import load_config
from harness.endpoint import read_key
from harness.errors import UserError
from harness.gateway.backend import Backend
from harness.gateway.cutting import Settings
from harness.gateway.fit import require_fit
from harness.gateway.server import Gateway
from harness.gateway.sessions import Sessions
from harness.gateway.upstream import Upstream
from harness.local_model import pinned, serving
from harness.scratch import Scratch
from harness.settings import Config, ModelConfig
from harness.strategies import require_strategy
from harness.strategies.base import Budget, Strategy
from harness.verbs.common import say, warn


def gateway(
    overrides: Sequence[str], port: int, host: str, token: str | None, places: Sequence[str]
) -> int:
    """Serve until interrupted. Without overrides: the reference worker, and no strategy."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    config = pinned(_config(overrides)) if overrides else None
    # The configuration's usual strategy is not meant for here.
    acts = any(o.startswith(("strategy=", "addons=")) for o in overrides)
    if config and acts:
        require_fit(_make(config))
        _window(config)
    with contextlib.ExitStack() as stack, contextlib.suppress(KeyboardInterrupt):
        if config:
            config = stack.enter_context(serving(config, warn))
        asyncio.run(_serve(config, acts, (host, port, token), places))
    return 0


async def _serve(
    config: Config | None, acts: bool, at: tuple[str, int, str | None], places: Sequence[str]
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        if config and config.model.kind != "worker":
            upstream = _upstream(config)
            stack.push_async_callback(upstream.close)
            backend, told = upstream, f"passing on to {upstream.where}"
        else:
            tasks = all_tasks(places, warn)
            backend = worker_backend(tasks)
            told = f"serving the reference worker for {len(tasks)} tasks"
        sessions = None
        if config and acts:
            sessions = await stack.enter_async_context(_sessions(config, backend))
            told += f", with {config.strategies[0].name}"
        server = Gateway(backend, *at, sessions=sessions)
        await stack.enter_async_context(server)
        say(f"{told} at {server.base_url}")
        await asyncio.Event().wait()


def _config(overrides: Sequence[str]) -> Config:
    """The configuration; without model.name the client's is passed on."""
    overrides = ["+gateway=default", *overrides]
    several = [o for o in overrides if o.startswith("strategy=") and "," in o]
    if several:
        raise UserError(f"{several[0]}: the gateway takes one strategy")
    roles = ("model", "summariser", "extractor")
    tapes = [o for o in overrides if o in [f"{role}=tape" for role in roles]]
    if tapes:
        raise UserError(f"{tapes[0]}: the gateway needs a model that answers")
    named = any(o.startswith("model.name=") for o in overrides)
    config = load_config(overrides if named else [*overrides, "model.name=null"])[0]
    given = config.gateway
    if given.api not in ("auto", "chat", "responses"):
        raise UserError(f"gateway.api: expected auto, chat or responses, found {given.api!r}")
    if not isinstance(given.trigger, int | float) or not 0 < given.trigger <= 1:
        raise UserError(f"gateway.trigger: expected a share from 0 to 1, found {given.trigger!r}")
    return config


def _make(config: Config) -> Strategy:
    chosen = config.strategies[0]
    return require_strategy(chosen.name, chosen.options, chosen.import_path, chosen.addons)


def _upstream(config: Config) -> Upstream:
    model = config.model
    hidden = model.headers_env or {}
    return Upstream(
        str(model.base_url),
        model.key_env,
        model=model.name,
        api=config.gateway.api,
        headers={**(model.headers or {}), **{name: read_key(v) for name, v in hidden.items()}},
        timeout_s=model.timeout_s,
    )


@contextlib.asynccontextmanager
async def _sessions(config: Config, backend: Backend) -> AsyncIterator[Sessions]:
    """The chosen strategy, ready to act on what passes."""
    given = config.gateway
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(Scratch())
        sessions = Sessions(
            Settings(
                make=lambda: _make(config),
                complete=_asking_of(config.summariser or config.model, backend, stack),
                extractor=config.extractor and _asking_of(config.extractor, backend, stack),
                window=_window(config),
                budget=Budget(**vars(config.budget)),
                folder=Path(folder),
                trigger=given.trigger,
                log=Path(given.log) if given.log else None,
            )
        )
        stack.callback(sessions.close)
        yield sessions


def _window(config: Config) -> int:
    """The window that is given, or the model's. Raises UserError where it is none."""
    window = config.gateway.window
    window = config.model.window if window is None else window
    least = max(1, 4 * config.budget.card)
    if not isinstance(window, int) or window < least:
        raise UserError(
            f"gateway.window: expected the tokens that a request may have in all, at least {least} "
            f"(four times budget.card), found {window!r}"
        )
    return window


def _asking_of(chosen: ModelConfig, backend: Backend, stack: contextlib.AsyncExitStack) -> Any:
    """What strategies ask: a model of its own, or the agent's."""
    if chosen.kind == "worker":
        return _asking(backend)
    from harness.model import Model

    model = Model(model_spec(chosen, str(chosen.base_url)))
    stack.push_async_callback(model.close)
    named = {"model_name": chosen.name} if chosen.name else {}

    async def complete(messages: list[Any], **limits: Any) -> Any:
        return await model.complete(messages, **{**limits, **named})

    return complete


def _asking(backend: Backend) -> Any:
    from harness.chat import parse_reply

    async def complete(messages: list[Any], *, model_name: str, max_tokens: int) -> Any:
        request = {"model": model_name, "messages": messages, "max_tokens": max_tokens}
        return parse_reply(await backend.complete(request), len(messages))

    return complete
