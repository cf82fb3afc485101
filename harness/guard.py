"""Code that is not the harness's own must end no run: what it raises by mistake ends one trial."""

from __future__ import annotations

import errno
import inspect
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.errors import SeambenchError, StrategyError, WorkspaceError, first_of

NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


def no_space(error: BaseException) -> bool:
    """Whether a disk is full, which is nobody's mistake but the machine's."""
    return isinstance(error, OSError) and error.errno in NO_SPACE


@contextmanager
def guarded(strategy: Any) -> Iterator[None]:
    """Around calls of a strategy (or of its class) and what its answers are used for.

    Raises StrategyError of kind "crashed" for what was not raised on purpose, and WorkspaceError of
    kind "no_space" where the disk with its private folder is full.
    """
    try:
        yield
    except Exception as error:
        first = first_of(error)
        if isinstance(first, SeambenchError):
            raise first from error
        if no_space(first):
            raise WorkspaceError(f"{strategy.name}: {first}", kind="no_space") from error
        what = f"{type(first).__name__}: {first}"
        raise StrategyError(
            f"strategy {strategy.name} crashed: {what} ({_place(strategy, first)})", kind="crashed"
        ) from error


def _place(strategy: Any, error: BaseException) -> str:
    """File and line in the strategy where the error came through, else where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    kind = strategy if isinstance(strategy, type) else type(strategy)
    own = inspect.getsourcefile(kind)
    last = [frame for frame in frames if frame.filename == own] or frames
    return f"{last[-1].filename}, line {last[-1].lineno}"
