"""A bucket of tries for each tenant, filled again as time goes by."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Bucket:
    """`tries` are left as of `filled`, in seconds."""

    tries: float
    filled: float


@dataclass
class Limiter:
    """At most `burst` tries at once, `per_second` more as time passes."""

    burst: int = 20
    per_second: float = 2.0
    buckets: dict[str, Bucket] = field(default_factory=dict)

    def take(self, tenant: str, now: float) -> bool:
        """Whether one more try is granted; it is counted."""
        bucket = self.buckets.setdefault(tenant, Bucket(self.burst, now))
        gained = (now - bucket.filled) * self.per_second
        bucket.tries = min(self.burst, bucket.tries + gained)
        bucket.filled = now
        if bucket.tries < 1:
            return False
        bucket.tries -= 1
        return True

    def wait(self, tenant: str) -> float:
        """Seconds until the next try is granted."""
        bucket = self.buckets.get(tenant)
        if bucket is None or bucket.tries >= 1:
            return 0.0
        return (1 - bucket.tries) / self.per_second
