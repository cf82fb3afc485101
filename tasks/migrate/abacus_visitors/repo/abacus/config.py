"""Settings of a session. The command line is their only source."""

DEFAULT_PRECISION = 28
DEFAULT_PLACES = 10


class Settings:
    """How results are worked out and printed."""

    __slots__ = ("group", "places", "precision")

    def __init__(self):
        self.precision = DEFAULT_PRECISION
        self.places = DEFAULT_PLACES
        self.group = False

    def update(self, key, text):
        """Take one setting from text; False where it is no good."""
        if key == "group":
            self.group = text == "yes"
            return text in ("yes", "no")
        if key not in ("places", "precision") or not text.isdigit():
            return False
        setattr(self, key, int(text))
        return True
