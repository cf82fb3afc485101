"""Gift cards that somebody hands in."""

from dataclasses import dataclass

from validators import length, uuid

from forms import journal
from forms.findings import Findings


@dataclass(frozen=True)
class GiftCard:
    code: str
    owner: str


def look_over_gift_cards(data: dict[str, str]) -> tuple[GiftCard | None, Findings]:
    """The card, or None beside what is wrong."""
    findings = Findings()
    findings.check("code", uuid, data.get("code"))
    findings.check("owner", length, data.get("owner"), min_val=2, max_val=60)
    if findings:
        journal.refused("gift_cards", [line.partition(":")[0] for line in findings.texts()])
        return None, findings
    return GiftCard(data.get("code", "").lower(), data.get("owner", "").strip()), findings
