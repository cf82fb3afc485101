"""The part of validators that the library's forms need."""

from .between import between
from .card import card_number
from .email import email
from .iban import iban
from .length import length
from .slug import slug
from .utils import ValidationError, validator
from .uuid import uuid

__all__ = (
    "ValidationError",
    "between",
    "card_number",
    "email",
    "iban",
    "length",
    "slug",
    "uuid",
    "validator",
)

__version__ = "0.36.0+forms"
