"""Loans that are asked for from home."""

from dataclasses import dataclass

from validators import uuid

from forms.own import shelfmark


@dataclass(frozen=True)
class Loan:
    mark: str
    copy: str


def read_loans(data: dict[str, str]) -> Loan:
    """A loan. Raises KeyError or ValidationError at the first box that is wrong."""
    shelfmark(data["mark"], r_ve=True)
    uuid(data["copy"], r_ve=True)
    return Loan(data["mark"], data["copy"].lower())


def room_of(loan: Loan) -> str:
    """Where the copy stands: sciences have marks that begin with Q, R, S or T."""
    return "upstairs" if loan.mark[0] in "QRST" else "hall"
