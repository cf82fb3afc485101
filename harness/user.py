"""The scripted user: one policy for all arms, so that no arm gets more help than another."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from harness.task_model import Task

NEUTRAL = {"en": "As agreed, please go on.", "zh": "按说好的来，请继续。"}
QUESTION = re.compile(r"[?？]|\b(?:should I|shall I|which|what|do you want)\b|吗|请问|哪", re.I)


class ScriptedUser:
    """Answers the agent and knows which remark is due.

    While `scored` is true (the windows) only open questions are answered; everything else gets one
    neutral line, counted as an intervention. Afterwards the fact that is asked for is told.
    """

    def __init__(self, task: Task, log: Callable[[dict[str, Any]], None]) -> None:
        self.task = task
        self.log = log
        self.scored = True

    def answer(self, question: str, turn: int) -> str:
        """The answer to a question or message of the agent; every answer is logged."""
        kind, text = self._find(question)
        event = {"type": "answer", "turn": turn, "question": question, "answer": text, "kind": kind}
        self.log(event)
        return text

    def _find(self, question: str) -> tuple[str, str]:
        for known in self.task.open_questions:
            if known.asks.matches(question):
                return "open_question", known.answer
        if not self.scored:
            for fact in self.task.facts:
                if any(ask.matches(question) for ask in fact.asks):
                    return "fact", fact.says
            if any(ask.matches(question) for ask in self.task.request.asks):
                return "request", self.task.request.text
        return "neutral", NEUTRAL[self.task.language]
