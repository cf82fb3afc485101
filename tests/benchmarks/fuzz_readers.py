"""Damaged session files against all readers and the audit: no crash, no hang, bounded memory.

    python tests/benchmarks/fuzz_readers.py [--lines 100000] [--seed 1] [FOLDER of more files]

Two fuzzers share the lines: one changes bytes, the other puts values of any type into the places
of a record (drawn by hypothesis where it is installed). Every line that is no JSON object must be
reported. The exit code is 0 only if nothing went wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

import sessions  # noqa: E402

from harness.audit.report import FileRow, audit_file, seam_row, session_row  # noqa: E402
from harness.readers import NotRead, Source, open_source, reader_of  # noqa: E402

SECONDS = 30
"""For one small file; whatever takes longer hangs."""
MEMORY = 2 * 2**30
"""Address space of this process."""
SMALL = 400_000
"""Bytes of a given file that are used, so that many of them are tried."""
STRANGE: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, 10**18, "", "x" * 3000, "\ud800", "\x00\x1b[31m", [], {}, [[]],
    [None], {"type": None}, {"text": {"text": 5}}, "2026-13-99T99:99:99Z", "../../etc/passwd",
)  # fmt: skip


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", help="more files to start from")
    options.add_argument("--lines", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    wrong = run(given.lines, given.seed, given.folder)
    for line in wrong[:20]:
        print(line)
    print(f"{len(wrong)} things went wrong")
    return 1 if wrong else 0


def run(lines: int, seed: int, folder: str | None = None) -> list[str]:
    """Mutate until so many lines were changed; returns what went wrong, with the seed of it."""
    starts = list(_starts(folder))
    drawn = _values(seed)
    wrong: list[str] = []
    done = 0
    count: Counter[str] = Counter()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        while done < lines:
            dice = random.Random(seed * 1_000_003 + sum(count.values()))
            name, text = starts[sum(count.values()) % len(starts)]
            mutate = dice.choice((_bytes, _structure))
            data, changed = mutate(text, dice, drawn)
            done += changed
            path = Path(place) / "s"
            path.write_bytes(data)
            count[name] += 1
            problem = _try(path, data)
            if problem:
                wrong.append(f"{name}, file {sum(count.values())}, seed {seed}: {problem}")
    seconds = time.monotonic() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{done} mutated lines in {sum(count.values())} files, {seconds:.0f} s, peak {peak} MB")
    return wrong


def _starts(folder: str | None) -> Iterator[tuple[str, str]]:
    for name, writer in {**sessions.WRITERS, **sessions.PLAIN}.items():
        for chinese in (False, True):
            yield name, writer(sessions.story(chinese))
    yield "atif", json.dumps(_atif(), indent=1)
    yield "encrypted", sessions.codex(sessions.story(), "encrypted")
    for path in sorted(Path(folder).rglob("*")) if folder else ():
        if path.suffix in (".json", ".jsonl", ".traj") and path.is_file():
            yield path.name, path.read_text(encoding="utf-8", errors="replace")[:SMALL]


def _atif() -> dict[str, Any]:
    from harness.exports.atif import to_atif
    from harness.exports.trials import read_items

    with tempfile.TemporaryDirectory() as place:
        path = sessions.write(Path(place), "s", sessions.claude(sessions.story()))
        return to_atif(read_items(path))


def _values(seed: int) -> list[Any]:
    """Values of any type, from hypothesis where it is there."""
    try:
        from hypothesis import find  # noqa: F401
        from hypothesis import strategies as st
    except ImportError:
        print("note: hypothesis is not installed; its values are left out", file=sys.stderr)
        return list(STRANGE)
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
    values = st.recursive(leaves, lambda c: st.lists(c) | st.dictionaries(st.text(), c))
    return [*STRANGE, *_drawn(values, seed, 500)]


def _drawn(values: Any, seed: int, size: int) -> list[Any]:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import seed as seeded

    found: list[Any] = []

    @seeded(seed)
    @settings(max_examples=size, database=None, suppress_health_check=list(HealthCheck))
    @given(values)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def _bytes(text: str, dice: random.Random, _: list[Any]) -> tuple[bytes, int]:
    """Flip, cut, double, join or drop bytes in a few lines."""
    lines = text.encode("utf-8").split(b"\n")
    changed = dice.randint(1, max(1, len(lines) // 4))
    for _n in range(changed):
        at = dice.randrange(len(lines))
        line = bytearray(lines[at])
        action = dice.randrange(6)
        spot = dice.randrange(len(line) + 1)
        if action == 0 and line:
            line[spot % len(line)] = dice.randrange(256)
        elif action == 1:
            del line[spot:]
        elif action == 2:
            line[spot:spot] = dice.randbytes(dice.randint(1, 8))
        elif action == 3:
            line += bytes(lines[dice.randrange(len(lines))])
        elif action == 4:
            line = bytearray(b"[" * dice.choice((1, 3, 5_000)) + line)
        else:
            del line[spot : spot + dice.randint(1, 40)]
        lines[at] = bytes(line)
    return b"\n".join(lines), changed


def _structure(text: str, dice: random.Random, drawn: list[Any]) -> tuple[bytes, int]:
    """Put values of other types into records, which stay JSON."""
    try:
        records = [json.loads(text)]
        whole = True
    except ValueError:
        records = [json.loads(line) for line in text.splitlines() if _is_json(line)]
        whole = False
    changed = dice.randint(1, 6)
    for _ in range(changed):
        at = dice.randrange(len(records))
        records[at] = _replaced(records[at], dice, drawn)
    dump: Callable[[Any], str] = lambda value: json.dumps(value, ensure_ascii=True)  # noqa: E731
    parts = [json.dumps(records[0], indent=1)] if whole else [dump(r) for r in records]
    return "\n".join(parts).encode("utf-8", "replace"), changed


def _replaced(value: Any, dice: random.Random, drawn: list[Any], depth: int = 0) -> Any:
    """The value with one place in it filled by something else, or left out."""
    stop = dice.random() < 0.12 + 0.05 * depth
    if isinstance(value, dict) and value and not stop:
        key = dice.choice(sorted(value))
        if dice.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _replaced(value[key], dice, drawn, depth + 1)}
    if isinstance(value, list) and value and not stop:
        at = dice.randrange(len(value))
        return [*value[:at], _replaced(value[at], dice, drawn, depth + 1), *value[at + 1 :]]
    return dice.choice(drawn)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _try(path: Path, data: bytes) -> str:
    """Read and audit one file; what went wrong, "" for nothing."""
    before = signal.signal(signal.SIGALRM, _hang)
    signal.alarm(SECONDS)
    try:
        for course in audit_file(path, (), FileRow(str(path))):
            json.dumps([session_row(course), *map(seam_row, course.seams)], ensure_ascii=False)
        return _unreported(path, data)
    except TimeoutError:
        return f"took more than {SECONDS} s"
    except Exception as error:  # whatever it is, it is a finding
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _unreported(path: Path, data: bytes) -> str:
    """Lines that are no JSON object and are not among the damaged ones."""
    try:
        source = open_source(path)
        reader = reader_of(source)
    except NotRead:
        return ""
    if reader.shape == "document" or (reader.shape is None and not source.head.lines):
        return ""
    for _ in reader.items():
        pass
    return _compare(source, data)


def _compare(source: Source, data: bytes) -> str:
    bad = [
        n for n, line in enumerate(data.split(b"\n"), 1) if line.strip() and not _object(line, n)
    ]
    reported = [number for number, _ in source.damage]
    missing = [number for number in bad[: len(reported)] if number not in reported]
    return f"damaged lines {missing[:5]} are not reported" if missing else ""


def _object(line: bytes, number: int) -> bool:
    try:
        line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _hang(*_: Any) -> None:
    raise TimeoutError


if __name__ == "__main__":
    raise SystemExit(main())
