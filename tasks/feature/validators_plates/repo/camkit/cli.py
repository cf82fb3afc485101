"""Service commands of a camera."""

COMMANDS = {
    "wipe": "clean the lens",
    "dim": "lower the flash",
}


def answer(words: list[str]) -> str:
    """What a command does."""
    return COMMANDS.get(words[0], "unknown")
