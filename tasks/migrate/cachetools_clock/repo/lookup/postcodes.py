"""Places by postcode, good for an hour."""

import re

from lookup.base import Service
from lookup.wallcache import wall_cached

SHAPE = re.compile(r"[A-Z]{1,2}[0-9]{1,4}")


def tidy(code: str) -> str:
    """Postcode without blanks, in capitals. Raises ValueError where it has another shape."""
    plain = "".join(code.split()).upper()
    if not SHAPE.fullmatch(plain):
        raise ValueError(f"{code!r} is no postcode")
    return plain


class PostcodeBook(Service):
    """The feed's rows are place names by tidy postcode."""

    @wall_cached(seconds=3600, size=400)
    def _place(self, code: str) -> str:
        return self.feed.fetch(code)

    def place(self, code: str) -> str:
        """Name of the place. Raises ValueError or FeedError."""
        return self._place(tidy(code))

    def same_area(self, first: str, second: str) -> bool:
        """True where both codes begin with the same letters."""
        letters = [re.match("[A-Z]+", tidy(code)).group() for code in (first, second)]
        return letters[0] == letters[1]
