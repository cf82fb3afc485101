"""Names of the migrations that the texts have been through, oldest first."""

STEPS = [
    "utf8-everywhere",
    "no-iframes",
]


def latest() -> str:
    """Name of the last one."""
    return STEPS[-1]
