"""Words that were replaced in the code, oldest first."""

RENAMES = [
    ("room", "ward"),
    ("client", "patient"),
]


def modern(word: str) -> str:
    """The word in use today; what was never replaced comes back unchanged."""
    for old, new in RENAMES:
        if word == old:
            word = new
    return word
