"""A decorator for the terminals' own checks."""

from functools import wraps


def terminal_check(func):
    """Let a check raise ValueError where it is called with `r_ve`, and return False otherwise."""

    @wraps(func)
    def wrapper(*args, **kwargs):
        raises = "r_ve" in kwargs
        kwargs.pop("r_ve", None)
        fine = bool(func(*args, **kwargs))
        if raises and not fine:
            raise ValueError(f"{func.__name__}: {args}")
        return fine

    return wrapper
