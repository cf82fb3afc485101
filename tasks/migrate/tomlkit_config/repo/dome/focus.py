"""The focus moves with the temperature of the tube."""

from dome.oldini import fetch


def focus_step(celsius: float) -> int:
    """Step of the focuser at a temperature."""
    base = float(fetch("focus", "base"))
    slope = float(fetch("focus", "per_degree"))
    return round(base + slope * celsius)


def refocus_due(celsius: float, last: float) -> bool:
    """Whether the tube has passed one of the points since the focus was set."""
    points = [float(point) for point in fetch("focus", "points").split(",")]
    low, high = sorted((celsius, last))
    return any(low < point <= high for point in points)
