"""From a value to the text that is printed.

Trailing zeros are dropped and long fractions shortened; the value that
`ans` holds keeps all its digits. Grouping puts a blank between every
three digits before the point.
"""

from decimal import ROUND_HALF_EVEN, Decimal

GROUP = 3
WIDEST = 21


def format_value(value, settings):
    """The printed form of a result under the settings."""
    if value.is_zero():
        return "0"
    if value.adjusted() >= WIDEST:
        return scientific(value)
    text = without_zeros(format(shortened(value, settings.places), "f"))
    return grouped(text) if settings.group else text


def shortened(value, places):
    """At most `places` digits behind the point."""
    if -value.as_tuple().exponent <= places:
        return value
    step = Decimal(1).scaleb(-places)
    return value.quantize(step, rounding=ROUND_HALF_EVEN)


def without_zeros(text):
    """Digits without zeros at the end of the fraction."""
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def scientific(value):
    """Mantissa and exponent, as `1.5e30`."""
    exponent = value.adjusted()
    mantissa = format(value.scaleb(-exponent), "f")[:10]
    return f"{without_zeros(mantissa)}e{exponent}"


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
