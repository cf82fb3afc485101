"""Everything that handlers share."""

from __future__ import annotations

from dataclasses import dataclass, field

from postbox.notify import Outbox
from postbox.store import Store
from postbox.tokens import Signer

LIVE_PORT = 8080


@dataclass
class Site:
    """Parts of a running service; `port` stands in the links of mails."""

    port: int = LIVE_PORT
    store: Store = field(default_factory=Store)
    signer: Signer = field(default_factory=lambda: Signer("change me"))
    outbox: Outbox = field(default_factory=Outbox)

    def link(self, path: str) -> str:
        """An address that tenants can open."""
        return f"http://localhost:{self.port}{path}"
