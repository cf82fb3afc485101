"""Settings, and the small file they come from.

The file has lines `key = value`; ABACUS_RC names it, the value `off`
means that none is read, and without the variable it is `.abacusrc` in
the home folder. An unknown key or a bad value is skipped: a typing
error in a settings file is no reason to refuse to add two numbers.
"""

import os

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


def settings_path(environ):
    """The file to read, or None."""
    named = environ.get("ABACUS_RC", "")
    if named == "off":
        return None
    return named or os.path.expanduser("~/.abacusrc")


def load_settings(environ=None):
    """Settings from the file, where there is one."""
    settings = Settings()
    path = settings_path(os.environ if environ is None else environ)
    if path is None or not os.path.exists(path):
        return settings
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.partition("=")
            settings.update(key.strip(), value.strip())
    return settings
