"""Old names of public functions, kept for a while."""

import functools
import warnings
from collections.abc import Callable


def retired(old: str, new: Callable, until: str) -> Callable:
    """The function under its old name, with a warning. `until`: the version that drops it."""

    @functools.wraps(new)
    def forward(*args, **kwargs):
        text = f"{old} is called {new.__name__} now and goes away in {until}"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return new(*args, **kwargs)

    forward.until = until
    return forward
