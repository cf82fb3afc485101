"""Inspect logs, through inspect's own reader, which is the optional extra `inspect`."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

from harness.readers.base import SHAPE_ERRORS, Item, Reader, Said, Session, call
from harness.readers.shapes import usage
from harness.readers.source import Head, NotRead
from harness.text import digest

OURS = "seambench"
"""Source of the compactions in logs that we have written: no call made their summary."""


class InspectReader(Reader):
    """One session for each sample. The view of a moment is the input of the model event there."""

    name = "inspect"

    @classmethod
    def claims(cls, head: Head) -> bool:
        if head.start.startswith(b"PK\x03\x04"):
            return b"header.json" in head.start or b"_journal/" in head.start
        return {"version", "status", "eval"} <= head.keys

    def record(self, number: int, key: str, value: Any) -> None:
        raise NotImplementedError("samples are read by inspect")

    def items(self) -> Iterator[Item]:
        try:
            from inspect_ai.log import read_eval_log, read_eval_log_sample
        except ImportError:
            raise NotRead("an Inspect log: pip install 'seambench[inspect]' to read it") from None
        path = str(self.source.path)
        try:
            header = read_eval_log(path, header_only=True)
            samples = _samples(path)
        except (ValueError, OSError, KeyError, zipfile.BadZipFile) as error:
            told = " ".join(str(error).split())[:200]
            raise NotRead(f"inspect cannot read this log: {told}") from None
        for number, (name, epoch) in enumerate(samples, 1):
            try:
                sample = read_eval_log_sample(path, name, epoch, resolve_attachments=True)
                self._sample(sample, header, number)
            except (*SHAPE_ERRORS, OSError) as error:
                self.source.damaged(number, f"sample {name}: {type(error).__name__}")
            self.to.flush()
            self.source.read += 1
            yield from self.to.take()

    def _sample(self, sample: Any, header: Any, number: int) -> None:
        packages = header.eval.packages or {}
        self.to.start(
            Session(
                id=f"{header.eval.task}/{sample.id}/{sample.epoch}",
                format=self.name,
                agent="inspect",
                version=str(packages.get("inspect_ai", "")),
                model=str(header.eval.model),
                started=str(header.eval.created),
            )
        )
        _Sample(self, sample, number).read()


class _Sample:
    """Goes through the events of one sample."""

    def __init__(self, reader: InspectReader, sample: Any, number: int) -> None:
        self.to = reader.to
        self.reader = reader
        self.sample = sample
        self.line = number
        self.known: dict[str, Said] = {}
        self.seam: Any = None
        self.held: Any = None

    def read(self) -> None:
        events = list(self.sample.events or ())
        for event in events:
            if event.event == "model":
                self._let_go()
                self.held = event
            elif event.event == "compaction":
                if event.type == "summary" and event.source != OURS:
                    self.held = None  # the call that made the summary is no turn
                self._let_go()
                self._close(())
                self.to.flush()
                self.seam = event
            elif event.event == "tool":
                self._let_go()
        self._let_go()
        self._close(())
        messages = list(self.sample.messages)
        told = [at for at, one in enumerate(messages) if _key(one) in self.known]
        for message in messages[told[-1] + 1 if told else 0 :]:
            self._say(message, "")

    def _let_go(self) -> None:
        """A model event that made no summary is a turn."""
        event, self.held = self.held, None
        if event is None:
            return
        time = str(event.timestamp)
        if self.seam is not None:
            self._close([self._made(message, time) for message in event.input])
        for message in event.input:
            if _key(message) not in self.known:
                self._say(message, time)
        if event.output and event.output.choices:
            self._reply(event.output.message, event.output.usage, time)

    def _close(self, after: Any) -> None:
        seam, self.seam = self.seam, None
        if seam is None:
            return
        summary = next((s for s in after if "[CONTEXT COMPACTION SUMMARY]" in _text(s)), None)
        manual = (seam.metadata or {}).get("trigger") == "manual"
        self.to.mark(
            self.line,
            list(after) or None,
            time=str(seam.timestamp),
            trigger="manual" if manual else "auto",
            summary=_text(summary) if summary else "",
            unread="" if after else "no model call follows it",
            tokens_before=seam.tokens_before,
            tokens_after=seam.tokens_after,
        )

    def _say(self, message: Any, time: str) -> None:
        said: Said | None = None
        if message.role == "assistant":
            said = self._reply(message, None, time)
        elif message.role == "tool":
            failed = message.error is not None
            name = str(message.tool_call_id or "")
            said = self.to.result(name, message.text, self.line, time=time, failed=failed)
        else:
            human = message.role == "user"
            said = self.to.say(message.role, message.text, self.line, time=time, human=human)
        if said:
            self.known[_key(message)] = said

    def _reply(self, message: Any, spent: Any, time: str) -> Said:
        calls = [call(c.id, c.function, c.arguments) for c in message.tool_calls or ()]
        counts = (0, 0, 0)
        if spent:
            cached = spent.input_tokens_cache_read or 0
            counts = (spent.input_tokens + cached, cached, spent.output_tokens)
        used = usage(*counts)
        key = f"message {_key(message)}"
        said = self.to.reply(message.text, calls, self.line, time=time, usage=used, key=key)
        self.known[_key(message)] = said
        return said

    def _made(self, message: Any, time: str) -> Said:
        known = self.known.get(_key(message))
        if known:
            return known
        said = self.to.made(message.role, message.text, self.line, time=time)
        self.known[_key(message)] = said
        return said


def _samples(path: str) -> list[tuple[Any, int]]:
    from inspect_ai.log import read_eval_log_sample_summaries

    return [(s.id, s.epoch) for s in read_eval_log_sample_summaries(path)]


def _key(message: Any) -> str:
    """Older logs have no message ids."""
    return str(message.id or digest([message.role, message.text]))


def _text(said: Said) -> str:
    return str(said.message.get("content") or "")
