"""What an attack needs: a place with a secret outside of it, and the table that it stands in."""

from __future__ import annotations

import os
import secrets
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from harness.sandbox import Sandbox

ROOT = Path(__file__).resolve().parents[1]
BOTH, BUBBLEWRAP = ("bubblewrap", "plain"), ("bubblewrap",)


@dataclass(frozen=True)
class Place:
    """Where an attack happens: its workspace, and a folder outside with a secret file."""

    sandbox: Sandbox
    work: Path
    outside: Path
    secret: str = field(default_factory=lambda: f"secret-{secrets.token_hex(8)}")

    async def run(self, command: str, timeout_s: float = 20) -> str:
        """What a command printed, as the model sees it."""
        return (await self.sandbox.run(command, self.work, timeout_s=timeout_s)).text


Carry = Callable[[Place], Awaitable[tuple[bool, str]]]
"""Carries out an attack: (whether the harness held, what came of it)."""


@dataclass(frozen=True)
class Attack:
    """An attack and the backends that promise to withstand it."""

    name: str
    backends: Sequence[str]
    carry: Carry


ATTACKS: list[Attack] = []


def attack(name: str, backends: Sequence[str]) -> Callable[[Carry], Carry]:
    """Put a function into the table."""

    def add(carry: Carry) -> Carry:
        ATTACKS.append(Attack(name, backends, carry))
        return carry

    return add


def told(text: str) -> str:
    """The last line of an output, short."""
    lines = text.strip().splitlines() or ["(nothing)"]
    last = lines[-2] if len(lines) > 1 and lines[-1].startswith("exit code") else lines[-1]
    return last[-70:]


def alive(word: str) -> bool:
    """Whether a process of the machine has `word` among its arguments."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                return True
        except OSError:
            continue
    return False


def gone(word: str) -> bool:
    """Whether such a process is gone, or soon will be."""
    for _ in range(300):
        if not alive(word):
            return True
        time.sleep(0.01)
    return False


def a_number() -> str:
    """Seconds to sleep that no other process sleeps."""
    return f"9{secrets.randbelow(10**8)}"


@contextmanager
def a_place(sandbox: Sandbox) -> Iterator[Place]:
    """A fresh workspace and a secret outside of it, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="seambench-attack-") as folder:
        place = Place(sandbox, Path(folder, "work").resolve(), Path(folder, "outside").resolve())
        place.work.mkdir()
        place.outside.mkdir()
        (place.outside / "secret").write_text(place.secret, encoding="utf-8")
        try:
            yield place
        finally:
            subprocess.run(["chmod", "-R", "u+rwX", folder], check=False)


async def carry_out(chosen: Attack, sandbox: Sandbox) -> tuple[bool, str]:
    """One attack in a fresh place."""
    with a_place(sandbox) as place:
        return await chosen.carry(place)
