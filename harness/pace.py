"""When calls go out: how many at once, in which order after replies, and when to try again."""

from __future__ import annotations

import asyncio
import hashlib
import math

from harness.errors import ModelError

LONGEST_WAIT_S = 600.0
BACKOFF_S = {
    "rate_limit": 2.0,
    "server": 2.0,
    "unreachable": 0.5,
    "timeout": 1.0,
    "bad_reply": 0.5,
}
"""First wait by kind, tripled each time; four of `server` outlast a minute of 503."""
FEWER_RETRIES = {"timeout": 1, "bad_reply": 2}
"""Kinds that cost a whole call each time, and seldom pass by themselves."""


class Pace:
    """Additive increase, multiplicative decrease: no bound until the server says 429.

    Then half of what was in the air, and one more for every round of calls that went well. Shared
    by all calls to one endpoint in one event loop. Those of several processes know nothing of each
    other, and need not: refusals reach who has most in the air most often, so shares even out.
    """

    def __init__(self) -> None:
        self.limit = math.inf
        self.flying = 0
        self._cuts = 0
        self._waiting: list[asyncio.Future[None]] = []

    async def enter(self) -> int:
        """Wait for room and take it; what is given back goes to `refused`."""
        while self.flying >= self.limit:
            room: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(room)
            await room
        self.flying += 1
        return self._cuts

    def leave(self) -> None:
        """Give the room back, whatever came of the call."""
        self.flying -= 1
        self._wake()

    def went_well(self) -> None:
        """A call was answered."""
        self.limit += 1 / self.limit

    def refused(self, entered: int) -> None:
        """A call was told to slow down. Those in the air together count as one refusal."""
        if entered == self._cuts:
            self._cuts += 1
            self.limit = max(1, min(self.limit, self.flying) // 2)

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for room in waiting:  # all look again; whoever finds no room waits on
            if not room.done():
                room.set_result(None)


class Turnstile:
    """Lets tasks of one event loop pass one by one, each with its work done before the next.

    Replies that come together would otherwise be answered together: all of the trials would wait
    for the last one's work, at every turn anew. What a task does before it next waits for something
    is done, and sent, before the next one passes.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def passed(self) -> None:
        """Wait for one's turn."""
        await self._lock.acquire()
        asyncio.get_running_loop().call_soon(self._lock.release)


def most_retries(kind: str, retries: int) -> int:
    """Retries of a kind of failure where `retries` are allowed in general."""
    return min(retries, FEWER_RETRIES.get(kind, retries))


def wait_s(error: ModelError, tries: int, salt: str) -> float | None:
    """Seconds before the next try: what the server asked for, or back-off, plus up to a quarter.

    None where another try cannot help, or not soon.
    """
    if not error.retry:
        return None
    # From a hash: no shared random state, and calls that fail together do not return together.
    jitter = hashlib.blake2b(f"{salt} {tries}".encode(), digest_size=2).digest()
    spread = 1 + 0.25 * int.from_bytes(jitter, "big") / 65536
    asked = error.retry_after  # "0" says nothing
    wait = (asked or BACKOFF_S.get(error.kind, 1.0) * 3**tries) * spread
    return wait if wait <= LONGEST_WAIT_S else None
