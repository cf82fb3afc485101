"""Mails about invoices, in the wording of the accounts team."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class InvoiceBox:
    """Mails about invoices; the tax office gets a copy of each."""

    waiting: list[tuple[str, str]] = field(default_factory=list)

    def tell(self, owner: str, number: str, cents: int) -> None:
        """Note that an invoice is due."""
        euros = f"{cents // 100}.{cents % 100:02}"
        self.waiting.append((owner, f"Invoice {number} over {euros} is due."))
