"""Everything that handlers share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from postbox.config import Config, load_config
from postbox.limits import Limiter
from postbox.lockout import Lockout
from postbox.notify import Outbox
from postbox.paging import Pager
from postbox.quota import Quota
from postbox.store import Store
from postbox.tokens import Signer


@dataclass
class Site:
    """Parts of a running service, all of them over one config."""

    config: Config
    store: Store = field(default_factory=Store)

    @cached_property
    def signer(self) -> Signer:
        return Signer(self.config.value("secret", "change me"))

    @cached_property
    def limiter(self) -> Limiter:
        return Limiter(self.config)

    @cached_property
    def lockout(self) -> Lockout:
        return Lockout(self.config)

    @cached_property
    def quota(self) -> Quota:
        return Quota(self.config)

    @cached_property
    def pager(self) -> Pager:
        return Pager(self.config)

    @cached_property
    def outbox(self) -> Outbox:
        return Outbox(self.config)


def open_site() -> Site:
    """The site of the config in force."""
    site = Site(load_config())
    for name, owner in site.config.value("boxes", {}).items():
        site.store.make(name, owner)
    return site
