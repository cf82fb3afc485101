"""Split speech into sentences, and tell lists of work from lists of rules."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.extract import lex_rules as lx
from harness.extract.paths import PATH
from harness.extract.speech import Part, Sentence, blank_quotes, polarity

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTED_LINE = re.compile(r"^\s*>")
_PASTED = 4000
"""A line of so many characters was pasted, not spoken."""
_SPLIT = re.compile(
    r"(?<=[。！？；\n])|(?<=[～~])(?=\s|[\u4e00-\u9fff])"
    r"|(?<=[!?;])(?=\s|[\u4e00-\u9fff])"
    r"|(?<=\.)(?<!e\.g\.)(?<!i\.e\.)(?<!\bvs\.)(?<!\betc\.)(?=\s)"
    r"|(?<=\.)(?=[\u4e00-\u9fff])"
)
_MARK = re.compile(
    r"^\s*(?:[-*•]\s+(?:\[[ xX]\]\s+)?|\(?(?:\d{1,2}|[a-z])[.)、:：]\s*(?=\S)"
    r"|[（(](?:\d{1,2}|[一二三四五六七八九十])[)）]\s*|[①-⑩]\s*)"
)
_LABEL = re.compile(rf"^[`*]*(?:(?:{PATH.pattern})|[A-Z]{{1,6}}-?\d+)[`*]*\s*[:：—]")
"""A path or a ticket number before a colon: what follows is a piece of work."""
_KEEPS = re.compile(r"(?:keep|leave|always|preserve)\b|保持|保留|始终|一律|务必", re.I)
_INLINE = re.compile(r"[（(](?:\d{1,2}|[a-h])[)）]|[①-⑩]")
_RULE_HEAD = re.compile(
    r"\b(?:rules?|constraints?|requirements?|conventions?|restrictions?|policy|policies|limits?)\b"
    r"|规则|约定|要求|限制|规矩|规范|约束|注意事项|硬指标|纪律",
    re.I,
)
_WORK_HEAD = re.compile(
    r"\b(?:orders?|steps?|tasks?|pieces?|plan|to ?do|work|items?|jobs?|stages?|changes|bugs?"
    r"|issues?|tickets?|fix(?:es)?)\b|顺序|步骤|任务|清单|依次|待办|逐[个项条]|工作|改动|缺陷|单子",
    re.I,
)


@dataclass
class _Line:
    """A line of speech; `block` numbers the list it belongs to, 0 where there is none."""

    text: str
    marked: bool
    block: int = 0
    part: Part = ""


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Sentences of a speech, without fenced blocks and quoted lines, list marks removed."""
    lines = _lines(text)
    _number_blocks(lines)
    _mark_blocks(lines)
    out: list[Sentence] = []
    item = 0
    for line in lines:
        item += line.marked
        out.extend(_in_line(line, item if line.block else 0))
    return tuple(out)


def _lines(text: str) -> list[_Line]:
    out: list[_Line] = []
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _QUOTED_LINE.match(line) and 0 < len(line.strip()) < _PASTED:
            marked = bool(_MARK.match(line) or _LABEL.match(line))
            out.append(_Line(line, marked))
    return out


def _number_blocks(lines: list[_Line]) -> None:
    """A list is a run of marked lines; an indented line carries its item on."""
    block = 0
    before: _Line | None = None
    for line in lines:
        inside = before is not None and before.block
        if line.marked:
            block += not inside
            line.block = block
        elif inside and line.text[0] in " \t\u3000":
            line.block = block
        before = line


def _mark_blocks(lines: list[_Line]) -> None:
    """Say of each line whether it is an item of work, a rule, or the head of a list."""
    start = 0
    for block, group in itertools.groupby(lines, key=lambda line: line.block):
        items = list(group)
        if block:
            before = lines[start - 1].text.rstrip() if start else ""
            head = before if before.endswith((":", "：")) or before.startswith("#") else ""
            if head and _bans(head, len(head)):
                _fold(lines[start - 1], items)
            part = _part(head or before, bool(head), [i.text for i in items if i.marked])
            for line in items:
                body = _MARK.sub("", line.text, count=1)
                led = part == "work" and line.marked and (_bans(body) or _KEEPS.match(body))
                line.part = "rule" if led else part
            if head and part and items[0].text:
                lines[start - 1].part = "head"
        start += len(items)


def _part(before: str, head: bool, items: list[str]) -> Part:
    if head and _RULE_HEAD.search(before):
        return "rule"
    if _WORK_HEAD.search(before):
        return "work"
    if len(items) < 2:
        return ""
    ruled = sum(_rules(_MARK.sub("", item, count=1)) for item in items)
    return "rule" if 2 * ruled > len(items) else "work"


def _fold(head: _Line, items: list[_Line]) -> None:
    """ "Do not touch:" and what is listed under it are one sentence."""
    bodies = [_MARK.sub("", item.text, count=1).strip() for item in items]
    head.text = f"{head.text.rstrip(' :：')} {', '.join(bodies)}"
    for item in items:
        item.text = ""


def _bans(body: str, within: int = 8) -> bool:
    """Does the item open with a prohibition?"""
    found = lx.BAN.search(lx.NOT_A_BAN.blank(body.lower()))
    return bool(found) and found.start() < within and not _LABEL.match(body)


def _rules(body: str) -> bool:
    """Does the item read as a rule?"""
    return not _LABEL.match(body) and polarity(body.lower()) is not None


def _in_line(line: _Line, item: int) -> Iterator[Sentence]:
    body = _MARK.sub("", line.text, count=1) if line.block else line.text
    low = blank_quotes(body)
    # A full stop inside a quotation ends no sentence of the speaker.
    cuts = [0, *(m.start() for m in _SPLIT.finditer(low)), len(body)]
    spans = [(a, b) for a, b in itertools.pairwise(cuts) if body[a:b].strip()]
    for start, end in spans:
        text = body[start:end]
        start += len(text) - len(text.lstrip())
        size = len(text.strip())
        part = line.part
        if part == "head" and end != spans[-1][1]:
            part = ""
        sentence = Sentence(text.strip(), low[start : start + size], item, part)
        if not part and _is_list(sentence.low):
            sentence = Sentence(sentence.text, sentence.low, item, "work")
        yield sentence


def _is_list(low: str) -> bool:
    """Several numbered pieces within one sentence."""
    marks = _INLINE.findall(low)
    return len(marks) > 1 and not lx.BAN.search(lx.NOT_A_BAN.blank(low))
