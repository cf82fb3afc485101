"""New members."""

from dataclasses import dataclass

from validators import email, length

from forms.own import day

FEES = {"child": 0, "adult": 24, "senior": 12}


@dataclass(frozen=True)
class Membership:
    name: str
    email: str
    since: str


def read_membership(data: dict[str, str]) -> Membership:
    """A membership. Raises KeyError or ValidationError at the first box that is wrong."""
    length(data["name"], min_val=2, max_val=60, r_ve=True)
    email(data["email"], r_ve=True)
    day(data["since"], r_ve=True)
    return Membership(data["name"].strip(), data["email"].lower(), data["since"])


def fee(age: int) -> int:
    """Euros a year."""
    return FEES["child" if age < 18 else "senior" if age >= 65 else "adult"]
