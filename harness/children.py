"""The processes of a pool: they end with their driver, however that ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, parent_process

END_S = 10
"""For a child to end its commands and clear up."""


def start_child() -> None:
    """A child ends when its driver says so, and does not go on writing when that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the driver tells the others
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    threading.Thread(target=_end_with_driver, daemon=True).start()


def _end_with_driver() -> None:
    """The system's parent of a child is the fork server, which lives as long as its children."""
    driver = parent_process()
    assert driver
    driver.join()
    os.kill(os.getpid(), signal.SIGKILL)


@contextlib.contextmanager
def ending_children(pool: ProcessPoolExecutor) -> Iterator[None]:
    """Whatever ends the driver's work ends its children's: the pool would carry out all of it."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        children = active_children()
        for child in children:
            child.terminate()
        for child in children:
            child.join(END_S)
            child.kill()
        raise
