"""From a value to the text that is printed.

Only trailing zeros are dropped and long fractions cut; the value that
`ans` holds keeps all its digits. Grouping puts a blank between every
three digits before the point.
"""

from decimal import ROUND_HALF_EVEN, Decimal

GROUP = 3
WIDEST = 21


def format_value(value, settings):
    """The printed form of a result under the settings."""
    return number_text(value, settings)


def number_text(value, settings):
    """A Decimal as text: places cut, zeros dropped, digits grouped."""
    if value.is_zero():
        return "0"
    if value.adjusted() >= WIDEST:
        return scientific(value)
    text = format(shortened(value, settings.places), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return grouped(text) if settings.group else text


def shortened(value, places):
    """At most `places` digits behind the point."""
    if -value.as_tuple().exponent <= places:
        return value
    step = Decimal(1).scaleb(-places)
    return value.quantize(step, rounding=ROUND_HALF_EVEN)


def scientific(value):
    """Mantissa and exponent, as `1.5e30`."""
    exponent = value.adjusted()
    mantissa = format(value.scaleb(-exponent).normalize(), "f")
    if "." in mantissa:
        mantissa = mantissa[:10].rstrip("0").rstrip(".")
    return f"{mantissa}e{exponent}"


def grouped(text):
    """Blanks between groups of three digits before the point."""
    whole, point, fraction = text.partition(".")
    sign, digits = ("-", whole[1:]) if whole[0] == "-" else ("", whole)
    parts = []
    while len(digits) > GROUP:
        parts.insert(0, digits[-GROUP:])
        digits = digits[:-GROUP]
    parts.insert(0, digits)
    return sign + " ".join(parts) + point + fraction
