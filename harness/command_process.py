"""A process of ours and what it prints, in an event loop."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Mapping, Sequence

OUTPUT_BYTES = 64 * 1024


class Process:
    """A process of ours, awaited by its descriptor. asyncio's own takes a thread for each."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: str, output: int) -> None:
        """Start it in a session of its own; what it prints goes to the descriptor `output`."""
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=env,
            cwd=cwd,
            start_new_session=True,
        )
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """Exit code, -n after signal n; None before it is waited for."""
        return self._process.returncode

    async def wait(self) -> None:
        """Until it has ended."""
        if self._process.poll() is not None:
            return
        try:
            descriptor = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # a C library or a kernel without them
            await asyncio.to_thread(self._process.wait)
            return
        await _readable(descriptor)
        self._process.wait()


async def _readable(descriptor: int) -> None:
    """Until there is something to read; then it is closed."""
    loop = asyncio.get_running_loop()
    came = loop.create_future()
    loop.add_reader(descriptor, lambda: came.done() or came.set_result(None))
    try:
        await came
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


class Output:
    """Reads a pipe to its end and keeps the first and the last half of OUTPUT_BYTES."""

    def __init__(self) -> None:
        self._read_fd, self.write_fd = os.pipe()
        os.set_blocking(self._read_fd, False)
        self._head, self._tail, self._total = bytearray(), bytearray(), 0
        self._end = asyncio.Event()

    def start(self) -> None:
        """Call once the child has its copy of `write_fd`."""
        os.close(self.write_fd)
        self.write_fd = -1
        asyncio.get_running_loop().add_reader(self._read_fd, self._feed)

    def _feed(self) -> None:
        try:
            data = os.read(self._read_fd, 65536)
        except BlockingIOError:
            return
        if not data:
            asyncio.get_running_loop().remove_reader(self._read_fd)
            self._end.set()
            return
        half = OUTPUT_BYTES // 2
        self._total += len(data)
        room = half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        if len(self._tail) > half + 65536:
            del self._tail[:-half]

    async def finished(self) -> None:
        """Wait for the end of the pipe; a process that escaped `plain` may hold it open."""
        try:
            await asyncio.wait_for(self._end.wait(), 2)
        except TimeoutError:
            return

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._read_fd)
        for fd in (self._read_fd, self.write_fd):
            if fd >= 0:
                os.close(fd)

    def value(self) -> tuple[bytes, bool]:
        half = OUTPUT_BYTES // 2
        tail = bytes(self._tail[-half:])
        missing = self._total - len(self._head) - len(tail)
        if missing <= 0:
            return bytes(self._head) + tail, False
        return bytes(self._head) + f"\n[... {missing} bytes left out ...]\n".encode() + tail, True
