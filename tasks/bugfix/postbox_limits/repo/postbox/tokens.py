"""Tokens that tell who is asking: name, end of life, signature."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256

from postbox import PostboxError, clock


@dataclass(frozen=True)
class Signer:
    """Makes and checks tokens with one secret; `life` is in seconds."""

    secret: str
    life: int = 3600

    def issue(self, tenant: str) -> str:
        """A token for a tenant, good from now for `life` seconds."""
        if "." in tenant:
            raise PostboxError("a name with a dot cannot log in")
        told = f"{tenant}.{clock.ticks() + self.life}"
        return f"{told}.{self._sign(told)}"

    def check(self, token: str) -> str:
        """The tenant of a token. Raises PostboxError 401 where it is wrong or too old."""
        told, _, signature = token.rpartition(".")
        if not hmac.compare_digest(self._sign(told), signature):
            raise PostboxError("this token is not ours", 401)
        tenant, _, end = told.rpartition(".")
        if clock.wall() > int(end) + 1:
            raise PostboxError("this token is too old", 401)
        return tenant

    def _sign(self, text: str) -> str:
        return hmac.new(self.secret.encode(), text.encode(), sha256).hexdigest()[:32]
