"""Everything that handlers share."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from postbox.limits import Limiter
from postbox.notify import Outbox
from postbox.store import Store
from postbox.tokens import Signer


@dataclass
class Site:
    """Parts of a running service. `keeper` may do what tenants may not."""

    store: Store = field(default_factory=Store)
    signer: Signer = field(default_factory=lambda: Signer("change me"))
    limiter: Limiter = field(default_factory=Limiter)
    outbox: Outbox = field(default_factory=Outbox)
    keeper: str = "janitor"

    def now(self) -> int:
        """Seconds since the epoch."""
        return int(time.time())


def open_site() -> Site:
    """The site of the folder that POSTBOX_HOME names, `live` where it names none."""
    home = Path(os.environ.get("POSTBOX_HOME", "live"))
    site = Site()
    site.store.load(home / "seed.json")
    return site
