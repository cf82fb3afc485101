"""Attacks by taking more than a share, of memory, disk, processes or output, or by not ending.

Limits are made small first, so that a limit that did not hold would not hurt.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from unittest import mock

from attack_kit import (
    BOTH,
    BUBBLEWRAP,
    ROOT,
    Place,
    a_number,
    attack,
    gone,
    told,
)

from harness import limits

FORKS = """
import os, time
n = 0
try:
    while n < 3000:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        n += 1
except OSError as error:
    print(f"{error.strerror} after {n // 100}00 and some", flush=True)
os._exit(0)
"""


@attack("fork bomb", BUBBLEWRAP if os.geteuid() == 0 else BOTH)
async def fork_bomb(place: Place) -> tuple[bool, str]:
    (place.work / "forks.py").write_text(FORKS, encoding="utf-8")
    text = await place.run("python forks.py")
    fine = await place.run("echo fine")
    return "unavailable" in text and fine == "fine\n", told(text)


@attack("fill memory in one process", BOTH)
async def fill_memory(place: Place) -> tuple[bool, str]:
    text = await place.run("python -c 'bytearray(2 << 30)'")
    return "MemoryError" in text, told(text)


@attack("fill memory in many processes", BOTH)
async def fill_memory_together(place: Place) -> tuple[bool, str]:
    code = "import time; kept = b'x' * (40 << 20); time.sleep(20)"
    with mock.patch.object(limits, "MEMORY_BYTES", 256 << 20):
        text = await place.run(f'for i in $(seq 12); do python -c "{code}" & done; wait')
    return "stopped: its processes took over 256 MB" in text, told(text)


@attack("fill the disk with one file", BOTH)
async def fill_disk(place: Place) -> tuple[bool, str]:
    text = await place.run("truncate -s 1T a; head -c 100M /dev/zero > b; ls -s")
    sizes = [path.stat().st_size for path in place.work.iterdir()]
    return max(sizes) <= 64 << 20, f"largest file {max(sizes) >> 20} MB; {told(text)}"


@attack("fill the disk with many files, and with holes", BOTH)
async def fill_disk_together(place: Place) -> tuple[bool, str]:
    said = []
    for make in ("head -c 1M /dev/zero > f$i", "truncate -s 1M f$i"):
        with mock.patch.object(limits, "WORKSPACE_BYTES", 8 << 20):
            loop = f"for i in $(seq 100); do {make}; sleep 0.05; done; sleep 60"
            said.append(await place.run(loop))
    return all("stopped: the files grew" in text for text in said), told(said[-1])


@attack("fill /tmp and shared memory", BUBBLEWRAP)
async def fill_tmp(place: Place) -> tuple[bool, str]:
    fill = "for i in 1 2 3 4 5 6; do head -c 60M /dev/zero > {}/f$i; done; rm {}/f*;"
    text = await place.run(fill.format("/tmp", "/tmp") + fill.format("/dev/shm", "/dev/shm"))
    return text.count("No space left") >= 2, told(text)


@attack("print 1 GB", BOTH)
async def print_much(place: Place) -> tuple[bool, str]:
    result = await place.sandbox.run("head -c 1G /dev/zero", place.work, timeout_s=30)
    return len(result.raw) < 70_000 and result.truncated, f"{len(result.raw)} characters kept"


@attack("print for ever", BOTH)
async def print_for_ever(place: Place) -> tuple[bool, str]:
    result = await place.sandbox.run("yes", place.work, timeout_s=0.5)
    return result.timed_out and len(result.raw) < 70_000, told(result.text)


@attack("ignore SIGTERM", BOTH)
async def ignore_sigterm(place: Place) -> tuple[bool, str]:
    number = a_number()
    text = await place.run(f"trap '' TERM INT HUP; sleep {number}; sleep {number}", timeout_s=0.5)
    return "timed out" in text and gone(number), told(text)


DAEMON = "(setsid nohup sh -c '(sleep {0} &)' >/dev/null 2>&1 </dev/null &); echo left"


@attack("daemonise: new session, double fork", BOTH)
async def daemonise(place: Place) -> tuple[bool, str]:
    number = a_number()
    text = await place.run(DAEMON.format(number))
    return text == "left\n" and gone(number), "ended with the command"


@attack("daemonise with an empty environment", BUBBLEWRAP)
async def daemonise_unmarked(place: Place) -> tuple[bool, str]:
    number = a_number()
    text = await place.run(DAEMON.format(number).replace("setsid", "setsid env -i"))
    return text == "left\n" and gone(number), "ended with the command"


@attack("outlive the harness that is killed", BUBBLEWRAP)
async def outlive_the_harness(place: Place) -> tuple[bool, str]:
    number = a_number()
    code = (
        "import asyncio, pathlib; from harness.sandbox import find_sandbox as find\n"
        f"work = pathlib.Path({str(place.work)!r})\n"
        f"asyncio.run(find('bubblewrap').run('touch begun; sleep {number}', work))"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", code], env=env) as harness:
        while not (place.work / "begun").exists() and harness.poll() is None:
            await asyncio.sleep(0.01)
        harness.send_signal(signal.SIGKILL)
    return (place.work / "begun").exists() and gone(number), "ended with the harness"
