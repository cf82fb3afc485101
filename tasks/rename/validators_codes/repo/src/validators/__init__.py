"""Our cut of validators: what the warehouse needs, and nothing that loads slowly."""

from .between import between
from .card import card_number
from .finance import cusip, isin, sedol
from .iban import iban
from .length import length
from .slug import slug
from .utils import ValidationError, validator

__all__ = (
    "ValidationError",
    "between",
    "card_number",
    "cusip",
    "iban",
    "isin",
    "length",
    "sedol",
    "slug",
    "validator",
)

__version__ = "0.36.0+cut"
