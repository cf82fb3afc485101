"""Invoices for the buyers, printed on sheets."""

from orchard.flow import Flow
from orchard.ledger import Season


def line_text(sale) -> str:
    """One line of an invoice."""
    return f"{sale['day']} {sale['variety']} {sale['kg']} kg {sale['kg'] * sale['cents'] / 100:.2f}"


def invoice_sheets(sales, buyer: str):
    """Lines of one buyer, a tuple for each sheet."""
    return Flow(sales).where(lambda sale: sale["buyer"] == buyer).each(line_text).sheets(96).rows()


def owed(sales):
    """Cents that each buyer owes."""
    return Flow(sales).sums("buyer", lambda sale: sale["kg"] * sale["cents"])


def report(season: Season) -> list[str]:
    """Euros by buyer."""
    return [f"{buyer}: {cents / 100:.2f}" for buyer, cents in sorted(owed(season.sales).items())]
