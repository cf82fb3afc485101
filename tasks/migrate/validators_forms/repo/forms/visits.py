"""Groups that announce a visit."""

from dataclasses import dataclass

from validators import email, length

from forms.own import day


@dataclass(frozen=True)
class Visit:
    leader: str
    email: str
    day: str


def read_visits(data: dict[str, str]) -> Visit:
    """A visit. Raises KeyError or ValidationError at the first box that is wrong."""
    length(data["leader"], min_val=2, max_val=60, r_ve=True)
    email(data["email"], r_ve=True)
    day(data["day"], after="2025-01-01", r_ve=True)
    return Visit(data["leader"].strip(), data["email"].lower(), data["day"])


def guides_needed(people: int) -> int:
    """One guide for every twelve people."""
    return -(-people // 12)
