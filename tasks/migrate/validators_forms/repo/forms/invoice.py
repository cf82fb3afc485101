"""Invoices that schools and clubs ask for."""

from dataclasses import dataclass

from validators import iban, length

from forms.own import amount

MOST = 5000.0


@dataclass(frozen=True)
class Invoice:
    payer: str
    iban: str
    cents: int


def read_invoice(data: dict[str, str]) -> Invoice:
    """An invoice. Raises KeyError or ValidationError at the first box that is wrong."""
    length(data["payer"], min_val=2, max_val=60, r_ve=True)
    iban(data["iban"], r_ve=True)
    amount(data["sum"], most=MOST, r_ve=True)
    cents = round(float(data["sum"]) * 100)
    return Invoice(data["payer"].strip(), data["iban"], cents)


def due_line(invoice: Invoice, days: int = 14) -> str:
    """The sentence above the bank details."""
    return f"{invoice.payer}: EUR {invoice.cents / 100:.2f} within {days} days"
