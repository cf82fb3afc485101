"""All forms by name, and one way to send any of them."""

from importlib import import_module

from validators import ValidationError

FORMS = (
    "membership",
    "newsletter",
    "invoice",
    "visits",
    "gift_orders",
    "gift_cards",
    "loans",
    "payouts",
)


def moved(form: str) -> bool:
    """True where the form gathers findings instead of raising."""
    return hasattr(import_module(f"forms.{form}"), f"look_over_{form}")


def submit(form: str, data: dict[str, str]) -> list[str]:
    """Lines about a form that was sent in; none where it is taken. Raises KeyError for no form."""
    if form not in FORMS:
        raise KeyError(form)
    module = import_module(f"forms.{form}")
    if moved(form):
        _, found = getattr(module, f"look_over_{form}")(data)
        return found.texts()
    try:
        getattr(module, f"read_{form}")(data)
    except KeyError as error:
        return [f"{error.args[0]}: missing"]
    except ValidationError as error:
        return [f"refused by {error.func.__name__}"]
    return []
