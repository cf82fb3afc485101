"""Validators for the car park: a handful of the library's, and room for our own."""

from .between import between
from .card import card_number
from .length import length
from .mac_address import mac_address
from .slug import slug
from .utils import ValidationError, validator

__all__ = (
    "ValidationError",
    "between",
    "card_number",
    "length",
    "mac_address",
    "slug",
    "validator",
)

__version__ = "0.36.0+park"
