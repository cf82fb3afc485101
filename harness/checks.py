"""Static predicates over a change to a workspace: the only language in which fixtures judge.

A predicate is a mapping with one key of `PREDICATES` (and `in: <glob or globs>` where it looks into
files), or `all` / `any` (lists) / `not`. Regular expressions are Python's, multi-line. No code of
the workspace is ever run, so a stored change can be judged again anywhere.

    {has: "def parse_token", in: "src/*.py"}      some file holds a match after the change
    {exists: "docs/*.md"}                         some file is there after the change
    {defines: parse_token, in: ...}               a function, class or variable of that name (ast)
    {imports: requests, in: ...}                  a module or a submodule of it is imported (ast)
    {calls: client.fetch, in: ...}                a call whose dotted name ends so (ast)
    {count: {pattern: "^- ", n: 3}, in: ...}      exactly n matches over the files
    {adds: "requests\\.", in: ...}                some added line holds a match (*)
    {adds_text: ".{80,}", in: ...}                the same, comments included
    {removes: "^## 2.1", in: ...}                 some removed line holds a match
    {adds_import: requests}  {adds_call: f}       more of them than before
    {adds_name: "[a-z]+[A-Z].*"}                  a new identifier matches in full
    {writes: glob}  {creates: glob}               a file was written / is new
    {runs: "pytest"}                              a command matches
    {runs_before: {first: "lint", then: "test"}}  each `then` command has a `first` before it

(*) Comments of Python lines are left aside: naming a banned thing is not using it.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from harness.names import Names, names_of
from harness.text import glob_match

Predicate = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """What happened to a workspace.

    before, after: text of every file by path. writes: every path written on the way, also where
    the end equals the beginning. commands: in the order run.
    """

    before: Mapping[str, str]
    after: Mapping[str, str]
    writes: frozenset[str] = frozenset()
    commands: Sequence[str] = ()


Hits = list[str]
"""What a predicate found, as `path:line: text` or `$ command`; empty means it does not hold."""


def holds(predicate: Predicate, change: Change) -> bool:
    """True where the predicate holds for the change."""
    return evaluate(predicate, change)[0]


def evaluate(predicate: Predicate, change: Change) -> tuple[bool, Hits]:
    """Whether the predicate holds, and what it (or the predicate under a `not`) found."""
    name, argument, globs = _parts(predicate)
    if name == "not":
        ok, hits = evaluate(argument, change)
        return not ok, hits
    if name in ("all", "any"):
        results = [evaluate(part, change) for part in argument]
        ok = (all if name == "all" else any)(result[0] for result in results)
        return ok, [hit for _, hits in results for hit in hits]
    hits = PREDICATES[name](change, argument, globs)
    return bool(hits), hits


def _parts(predicate: Predicate) -> tuple[str, Any, Any]:
    name = next(key for key in predicate if key != "in")
    return name, predicate[name], predicate.get("in", "**")


def _files(texts: Mapping[str, str], globs: Any) -> Iterable[tuple[str, str]]:
    return ((path, texts[path]) for path in _selected(texts, globs))


def _changed(change: Change, globs: Any) -> Sequence[str]:
    before, after = change.before, change.after
    paths = {path for path in after if after[path] != before.get(path)}
    paths.update(path for path in before if path not in after)
    return _selected(paths, globs)


def _selected(paths: Iterable[str], globs: Any) -> Sequence[str]:
    """The paths that match one of the globs, sorted."""
    return _matching(tuple(sorted(paths)), globs if isinstance(globs, str) else tuple(globs))


@lru_cache(maxsize=4096)
def _matching(paths: tuple[str, ...], globs: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(path for path in paths if glob_match(path, globs))


@lru_cache(maxsize=8192)  # a study has many more patterns than `re` keeps
def _compiled(pattern: str, flags: re.RegexFlag = re.MULTILINE) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _has(change: Change, pattern: str, globs: Any) -> Hits:
    hits = []
    for path, text in _files(change.after, globs):
        if match := _compiled(pattern).search(text):
            line = _line(text, match.start())
            hits.append(f"{path}:{line}: {match.group(0).strip()[:120]}")
    return hits


def _exists(change: Change, glob: str, _globs: Any) -> Hits:
    return list(_selected(change.after, glob))


def _count(change: Change, argument: Mapping[str, Any], globs: Any) -> Hits:
    texts = [text for _, text in _files(change.after, globs)]
    found = sum(len(_compiled(argument["pattern"]).findall(text)) for text in texts)
    return [f"{found} times {argument['pattern']}"] if found == argument["n"] else []


def _line_changes(change: Change, globs: Any, *, added: bool) -> Iterable[tuple[str, int, str]]:
    """Lines that occur more often on one side; a moved line is neither added nor removed."""
    for path in _changed(change, globs):
        old, new = change.before.get(path, ""), change.after.get(path, "")
        for number, line in _surplus(new, old) if added else _surplus(old, new):
            yield path, number, line


@lru_cache(maxsize=1024)  # every check after every turn looks at the same few pairs
def _surplus(source: str, other: str) -> Sequence[tuple[int, str]]:
    """Lines that `source` has more often than `other`, with their numbers."""
    spare = Counter(other.splitlines())
    found = []
    for number, line in enumerate(source.splitlines(), 1):
        if spare[line] > 0:
            spare[line] -= 1
        else:
            found.append((number, line))
    return found


def _grep(lines: Iterable[tuple[str, int, str]], pattern: str, code: bool = False) -> Hits:
    return [
        f"{path}:{number}: {line.strip()[:120]}"
        for path, number, line in lines
        if _compiled(pattern).search(_code(path, line) if code else line)
    ]


def _adds(change: Change, pattern: str, globs: Any) -> Hits:
    lines = _line_changes(change, globs, added=True)
    return _grep(lines, pattern, code=True)


def _adds_text(change: Change, pattern: str, globs: Any) -> Hits:
    return _grep(_line_changes(change, globs, added=True), pattern)


@lru_cache(maxsize=65536)
def _code(path: str, line: str) -> str:
    """A line of Python without its comment: naming a banned thing in a comment is not using it."""
    if not path.endswith(".py") or "#" not in line:
        return line
    # A line may be half a statement; what is read before it breaks off is enough.
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(line.strip()).readline):
            if token.type == tokenize.COMMENT:
                start = len(line) - len(line.lstrip())
                return line[: start + token.start[1]]
    return line


def _removes(change: Change, pattern: str, globs: Any) -> Hits:
    return _grep(_line_changes(change, globs, added=False), pattern)


def _writes(change: Change, glob: str, _globs: Any) -> Hits:
    return list(_selected(change.writes, glob))


def _creates(change: Change, glob: str, _globs: Any) -> Hits:
    return [path for path in _writes(change, glob, None) if path not in change.before]


def _runs(change: Change, pattern: str, _globs: Any) -> Hits:
    form = _compiled(pattern, re.NOFLAG)
    return [f"$ {command[:200]}" for command in change.commands if form.search(command)]


def _runs_before(change: Change, argument: Mapping[str, str], _globs: Any) -> Hits:
    hits, ready = [], False
    first, then = (_compiled(argument[name], re.NOFLAG) for name in ("first", "then"))
    for command in change.commands:
        ready = ready or bool(first.search(command))
        if then.search(command):
            if not ready:
                return []
            hits.append(f"$ {command[:200]}")
    return hits


def _names(path: str, text: str) -> Names:
    return names_of(text, python=path.endswith((".py", ".pyi")))


def _is_name(field: str, name: str, wanted: str) -> bool:
    if field == "imports":
        return name == wanted or name.startswith(wanted.rstrip(".") + ".")
    if field == "calls":
        return name == wanted or name.endswith("." + wanted)
    return name == wanted


def _state_names(field: str, change: Change, wanted: str, globs: Any) -> Hits:
    return [
        f"{path}:{lines[0]}: {name}"
        for path, text in _files(change.after, globs)
        for name, lines in sorted(getattr(_names(path, text), field).items())
        if _is_name(field, name, wanted)
    ]


def _more_names(field: str, change: Change, wanted: str, globs: Any) -> Hits:
    hits = []
    for path in _changed(change, globs):
        old = getattr(_names(path, change.before.get(path, "")), field)
        new = getattr(_names(path, change.after.get(path, "")), field)
        for name, lines in sorted(new.items()):
            if len(lines) > len(old.get(name, ())) and _is_name(field, name, wanted):
                hits.append(f"{path}:{_added_line(change, path, lines)}: {name}")
    return hits


def _adds_name(change: Change, pattern: str, globs: Any) -> Hits:
    hits: Hits = []
    for path in _changed(change, globs):
        old = _names(path, change.before.get(path, "")).defines
        new = _names(path, change.after.get(path, "")).defines
        for name, lines in sorted(new.items()):
            if name not in old and _compiled(pattern).fullmatch(name):
                hits.append(f"{path}:{_added_line(change, path, lines)}: {name}")
    return hits


def _added_line(change: Change, path: str, lines: Sequence[int]) -> int:
    """The first of the lines that the change added; the last where none was."""
    new = _surplus(change.after.get(path, ""), change.before.get(path, ""))
    added = {number for number, _ in new}
    return next((line for line in lines if line in added), lines[-1])


PREDICATES: Mapping[str, Callable[[Change, Any, Any], Hits]] = {
    "has": _has,
    "exists": _exists,
    "defines": partial(_state_names, "defines"),
    "imports": partial(_state_names, "imports"),
    "calls": partial(_state_names, "calls"),
    "count": _count,
    "adds": _adds,
    "adds_text": _adds_text,
    "removes": _removes,
    "adds_import": partial(_more_names, "imports"),
    "adds_call": partial(_more_names, "calls"),
    "adds_name": _adds_name,
    "writes": _writes,
    "creates": _creates,
    "runs": _runs,
    "runs_before": _runs_before,
}
