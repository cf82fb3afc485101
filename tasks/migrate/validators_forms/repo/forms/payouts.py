"""Money that goes back to readers and circles."""

from dataclasses import dataclass

from validators import iban, length

from forms.own import amount


@dataclass(frozen=True)
class Payout:
    holder: str
    iban: str
    cents: int


def read_payouts(data: dict[str, str]) -> Payout:
    """A payout. Raises KeyError or ValidationError at the first box that is wrong."""
    length(data["holder"], min_val=2, max_val=70, r_ve=True)
    iban(data["iban"], r_ve=True)
    amount(data["sum"], most=1000.0, r_ve=True)
    cents = round(float(data["sum"]) * 100)
    return Payout(data["holder"].strip(), data["iban"], cents)


def needs_second_signature(payout: Payout) -> bool:
    """From two hundred euros on, somebody else has to sign as well."""
    return payout.cents >= 20_000
