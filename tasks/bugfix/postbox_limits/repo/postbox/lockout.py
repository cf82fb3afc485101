"""Names that were given with a wrong code too often stay outside for a while."""

from __future__ import annotations

from dataclasses import dataclass, field

from postbox import PostboxError
from postbox.config import Config


@dataclass
class Lockout:
    """Counts wrong codes by name."""

    config: Config
    misses: dict[str, int] = field(default_factory=dict)

    def require(self, name: str) -> None:
        """Raises PostboxError 423 for a name that is locked out."""
        if self.misses.get(name, 0) >= self.config.value("login_tries", 5):
            raise PostboxError("too many wrong codes, come back later", 423)

    def failed(self, name: str) -> None:
        """Note a wrong code."""
        self.misses[name] = self.misses.get(name, 0) + 1

    def passed(self, name: str) -> None:
        """Forget the wrong codes of a name that has logged in."""
        self.misses.pop(name, None)
