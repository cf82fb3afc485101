"""A bucket of tries for whoever asks, filled again as time goes by."""

from __future__ import annotations

from dataclasses import dataclass, field

from postbox.config import Config


@dataclass
class Bucket:
    """`tries` are left as of `filled`, in seconds."""

    tries: float
    filled: float


@dataclass
class Limiter:
    """Some tries at once, `per_second` more of them as time passes."""

    config: Config
    buckets: dict[str, Bucket] = field(default_factory=dict)

    def take(self, key: str, now: float) -> bool:
        """Whether one more try is granted; it is counted."""
        bucket = self.buckets.setdefault(key, Bucket(20, now))
        bucket.tries += (now - bucket.filled) * self.config.value("per_second", 2)
        bucket.filled = now
        if bucket.tries < 1:
            return False
        bucket.tries -= 1
        return True

    def wait(self, key: str) -> float:
        """Seconds until the next try is granted."""
        bucket = self.buckets.get(key)
        if bucket is None or bucket.tries >= 1:
            return 0.0
        return (1 - bucket.tries) / self.config.value("per_second", 2)
