"""Turn chat messages into a flat list of events that the extraction rules read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from harness.extract.carried import split_carried
from harness.extract.patched import BEGIN, failed, patched
from harness.extract.sentences import split_sentences
from harness.extract.speech import Sentence
from harness.types import Message, State

EventKind = Literal["user", "assistant", "plan", "edit", "read", "run", "card"]

_PATH_KEYS = ("path", "file_path", "filename", "filepath", "file")
_CONTENT_KEYS = ("content", "new", "new_string", "new_str", "file_text", "patch", "diff", "text")
_READ_NAME = re.compile(r"read|view|open|cat|show|get", re.I)
_EDIT_NAME = re.compile(r"write|edit|create|replace|insert|patch|update|append|save|modify", re.I)


@dataclass(frozen=True)
class Event:
    """One thing said or done.

    `at` is the index of the message it comes from, `before` that of the user's speech before.
    """

    kind: EventKind
    at: int
    sentences: tuple[Sentence, ...] = ()
    text: str = ""
    plan: tuple[tuple[str, str], ...] = ()
    card: State | None = None
    before: int = -1


def content_text(content: Any) -> str:
    """The text of a message's content: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (p.get("text") for p in content if isinstance(p, dict))
        return "\n".join(p for p in parts if isinstance(p, str))
    return ""


def events(messages: list[Message]) -> list[Event]:
    """All events of a history in order. Tool output is no event, but for answers of the user."""
    results = {
        m.get("tool_call_id"): content_text(m.get("content"))
        for m in messages
        if m.get("role") == "tool"
    }
    asked: set[str | None] = set()
    out: list[Event] = []
    before = -1
    for at, message in enumerate(messages):
        speech, card = split_carried(content_text(message.get("content")))
        if card is not None:
            out.append(Event("card", at, card=card))
        role = message.get("role")
        if role == "tool":
            role = "user" if message.get("tool_call_id") in asked else None
        if role in ("user", "assistant"):
            sentences = split_sentences(speech)
            if sentences:
                out.append(Event(role, at, sentences, text=speech, before=before))
                before = at if role == "user" else before
        for call_id, name, args in _calls(message):
            if name == "ask_user":
                asked.add(call_id)
            out.extend(_call_events(at, name, args, results.get(call_id, "")))
    return out


def _calls(message: Message) -> Iterator[tuple[str | None, str, dict[str, Any]]]:
    for call in message.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            continue
        args = function.get("arguments")
        if isinstance(args, str):
            try:
                args = json.loads(args)
            except ValueError:
                # A call the model wrote badly did nothing, so it establishes nothing.
                if BEGIN not in args:
                    continue
            args = {"input": args} if isinstance(args, str) else args  # a free text tool
        if isinstance(args, dict):
            yield call.get("id"), str(function.get("name") or ""), args


def _call_events(at: int, name: str, args: dict[str, Any], result: str) -> Iterator[Event]:
    items = args.get("items") or args.get("plan") or args.get("todos")
    if isinstance(items, list) and "ask" not in name:
        yield Event("plan", at, plan=tuple(_plan_items(items)))
    command = args.get("command") or args.get("cmd")
    path = next((args[k] for k in _PATH_KEYS if isinstance(args.get(k), str)), None)
    if files := patched(name, args):
        for file in files if not failed(result) else ():
            yield Event("edit", at, text=file)
    elif path:
        writes = _EDIT_NAME.search(name) or any(k in args for k in _CONTENT_KEYS)
        if writes and not _READ_NAME.match(name):
            if not failed(result):
                yield Event("edit", at, text=path)
        else:
            yield Event("read", at, text=path)
    elif isinstance(command, str) and command.strip():
        yield Event("run", at, text=command.strip())
    if name == "finish" and isinstance(args.get("message"), str):
        yield Event("assistant", at, split_sentences(args["message"]), text=args["message"])


def _plan_items(items: list[Any]) -> Iterator[tuple[str, str]]:
    for item in items:
        if isinstance(item, str):
            yield item, "todo"
        elif isinstance(item, dict):
            text = item.get("text") or item.get("step") or item.get("content")
            status = str(item.get("status") or "todo").lower()
            if isinstance(text, str) and text.strip():
                done = status in ("done", "completed", "complete")
                dropped = status in ("cancelled", "canceled", "dropped")
                yield text.strip(), "done" if done else "dropped" if dropped else "open"
