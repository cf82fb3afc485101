"""Edition of the panel's vocabulary, compared by the terminals before they load it."""

WORDING_EDITION = 11


def is_current(edition: int) -> bool:
    """True where a terminal need not load the words again."""
    return edition == WORDING_EDITION
