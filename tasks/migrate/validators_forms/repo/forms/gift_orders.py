"""Orders of gift cards."""

from dataclasses import dataclass

from validators import card_number, email

from forms.own import amount


@dataclass(frozen=True)
class GiftOrder:
    buyer: str
    last_four: str
    cents: int


def read_gift_orders(data: dict[str, str]) -> GiftOrder:
    """An order. Raises KeyError or ValidationError at the first box that is wrong."""
    email(data["buyer"], r_ve=True)
    card_number(data["card"], r_ve=True)
    amount(data["sum"], most=200.0, r_ve=True)
    cents = round(float(data["sum"]) * 100)
    return GiftOrder(data["buyer"].lower(), data["card"][-4:], cents)


def portions(order: GiftOrder) -> list[int]:
    """Cards of at most fifty euros that make up the order, in cents."""
    full, rest = divmod(order.cents, 5000)
    return [5000] * full + ([rest] if rest else [])
