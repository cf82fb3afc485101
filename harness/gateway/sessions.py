"""A strategy at work on the requests of any agent: what it sent, cut where it grows too long.

The agent sends its whole history with every request. What stands before the last seam is known by
its hash and replaced by the strategy's view; what stands after it is passed on as it is.
"""

from __future__ import annotations

import itertools
import json
import logging
import re
import shutil
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from harness.errors import ContextOverflow, SeambenchError
from harness.gateway.cutting import KEPT, Session, Settings, Work
from harness.gateway.session_log import SessionLogs
from harness.gateway.wire import GatewayError, invalid
from harness.strategies.base import system_of
from harness.text import digest
from harness.types import Message

log = logging.getLogger(__name__)

HEADERS = ("X-Seambench-Session", "thread-id", "session-id")
"""Headers that name a session; the last two are Codex's."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CONTEXT = re.compile(r"\s*(?:<([a-z][a-z_-]*)\b.*</\1>|# AGENTS\.md instructions.*)\s*", re.DOTALL)
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


class Sessions:
    """Every session of a gateway, by name."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sessions: OrderedDict[str, Session] = OrderedDict()

    async def shorten(
        self, name: str | None, messages: Sequence[Message], request: Mapping[str, Any]
    ) -> tuple[list[Message], dict[str, str]]:
        """The messages to pass on, and headers that say what was done.

        name: of the session; None derives it from the first message. request: for its model,
        tools and instructions. Raises GatewayError where the strategy or its summariser fails.
        """
        head = _head(messages)
        rest, hashes = _read(messages[len(head) :])
        session = self._session(name or digest(hashes[:2])[:16])
        try:
            async with session.lock:
                work = Work(self.settings, session, (head, rest, hashes), request)
                shown = await work.view()
        except ContextOverflow as error:
            raise GatewayError(400, "context_length_exceeded", f"summary: {error}") from error
        except SeambenchError as error:
            raise GatewayError(502, "strategy_failed", str(error)) from error
        return shown, {
            "X-Seambench-Session": session.name,
            "X-Seambench-Seams": str(work.seam.number if work.seam else 0),
            "X-Seambench-Tokens": f"{session.shown} of {session.given}",
        }

    def table(self) -> list[dict[str, Any]]:
        """What was done in every session, as counts; nothing of what was said."""
        return [
            {
                "session": session.name,
                "requests": session.requests,
                "seams": session.made,
                "histories_rewritten": session.rewritten,
                "tokens": {"given": session.given, "shown": session.shown},
                "summariser": {"input": session.usage.input, "output": session.usage.output},
            }
            for session in self.sessions.values()
        ]

    def close(self) -> None:
        """Close the logs."""
        for session in self.sessions.values():
            self._forget(session)
        self.sessions.clear()

    def _session(self, key: str) -> Session:
        session = self.sessions.get(key)
        if session is None:
            name = key if _NAME.fullmatch(key) else digest(key)[:16]
            session = self.sessions[key] = Session(name)
            if self.settings.log:
                session.logs = SessionLogs(self.settings.log / name)
        self.sessions.move_to_end(key)
        if len(self.sessions) > KEPT:
            idle = (k for k, s in self.sessions.items() if not s.lock.locked() and k != key)
            if old := next(idle, None):
                self._forget(self.sessions.pop(old))
        return session

    def _forget(self, session: Session) -> None:
        if session.logs:
            session.logs.close()
        shutil.rmtree(self.settings.folder / session.name, ignore_errors=True)


def session_name(headers: Mapping[str, str], body: Mapping[str, Any]) -> str | None:
    """The name that a request gives its session: a header's, or the key of the prompt cache."""
    given = [headers.get(name) for name in HEADERS]
    names = (*given, body.get("prompt_cache_key"))
    return next((name for name in names if isinstance(name, str) and name), None)


def _head(messages: Sequence[Message]) -> list[Message]:
    """What a history begins with before the user speaks: never cut, and free to change."""
    lead = system_of(messages)
    return [*lead, *itertools.takewhile(_is_context, messages[len(lead) :])]


def _is_context(message: Message) -> bool:
    """Whether an agent, and not its user, says it: Codex puts its surroundings that way."""
    content = message.get("content") or ""
    texts = [content] if isinstance(content, str) else [p.get("text") or "" for p in content]
    return message["role"] == "user" and bool(texts) and all(map(_CONTEXT.fullmatch, texts))


def _read(messages: Sequence[Message]) -> tuple[list[Message], list[str]]:
    """Messages as strategies and files can take them, and hashes of the first 0, 1, 2 ... of them.

    Raises GatewayError for a call that is no function. Half surrogate pairs are replaced.
    """
    read, hashes = [], [""]
    for message in messages:
        calls = message.get("tool_calls")
        if calls and any(call.get("type", "function") != "function" for call in calls):
            raise invalid("messages", "has a call that is no function; no strategy can read it")
        try:
            text = _ENCODE(_seen(message)).encode("utf-8")
        except UnicodeEncodeError:
            message = json.loads(_ENCODE(message).encode("utf-8", "replace"))
            text = _ENCODE(_seen(message)).encode("utf-8")
        read.append(message)
        hashes.append(digest(hashes[-1].encode("ascii") + text))
    return read, hashes


def _seen(message: Message) -> list[Any]:
    """What makes two messages the same; marks for caches and the like move between requests."""
    content = message.get("content") or ""
    if isinstance(content, list):
        content = [{k: v for k, v in part.items() if k != "cache_control"} for part in content]
    calls, result_of = message.get("tool_calls") or [], message.get("tool_call_id")
    return [message["role"], content, calls, result_of, message.get("name")]
