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
from harness.gateway.cutting import KEPT, History, Session, Settings, Work
from harness.gateway.session_log import SessionLogs
from harness.gateway.wire import GatewayError, invalid
from harness.strategies.base import system_of
from harness.text import digest
from harness.types import Message

log = logging.getLogger(__name__)

HEADERS = ("X-Seambench-Session", "thread-id", "session-id")
"""Headers that name a session; the last two are Codex's."""

COMPARED = 16
"""Sessions whose last history is kept to be compared with the next one."""

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
        given = list(messages[len(head) :])
        name = name or digest(_read(given[:1]).hashes)[:16]
        known = self.sessions.get(name)
        history = _read(given, known.newest if known else None)
        session = self._session(name)
        self._keep(session, history)
        try:
            async with session.lock:
                work = Work(self.settings, session, head, history, request)
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

    def _keep(self, session: Session, history: History) -> None:
        """Keep a history to compare the next one with, as long as its session is a recent one."""
        session.newest = history
        newest_first = reversed(self.sessions.values())
        if old := next(itertools.islice(newest_first, COMPARED, None), None):
            old.newest = None

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


def _read(messages: list[Message], known: History | None = None) -> History:
    """A history of these messages. known: an earlier one, whose beginning is not read again.

    Raises GatewayError for a call that is no function. Half surrogate pairs are replaced.
    """
    same = 0
    if known:
        pairs = enumerate(zip(messages, known.given, strict=False))
        shorter = min(len(messages), len(known.given))
        same = next((n for n, (mine, old) in pairs if mine != old), shorter)
    read = known.read[:same] if known else []
    hashes = known.hashes[: same + 1] if known else [""]
    for message in messages[same:]:
        calls = message.get("tool_calls")
        if calls and any(call.get("type", "function") != "function" for call in calls):
            raise invalid("messages", "has a call that is no function; no strategy can read it")
        try:
            seen = _seen(message)
        except UnicodeEncodeError:
            message = json.loads(_ENCODE(message).encode("utf-8", "replace"))
            seen = _seen(message)
        read.append(message)
        hashes.append(digest(hashes[-1].encode("ascii") + seen))
    return History(messages, read, hashes)


def _seen(message: Message) -> bytes:
    """What makes two messages the same; marks for caches and the like move between requests."""
    content = message.get("content") or ""
    texts = [message["role"], str(message.get("tool_call_id")), str(message.get("name"))]
    for call in message.get("tool_calls") or ():
        texts += call["id"], call["function"]["name"], call["function"]["arguments"]
    if not isinstance(content, str):
        parts = [{k: v for k, v in part.items() if k != "cache_control"} for part in content]
        texts.append("parts")
        content = _ENCODE(parts)
    texts.append(content)
    # The lengths keep apart what joined would be the same.
    return f"{[len(text) for text in texts]}{''.join(texts)}".encode()
