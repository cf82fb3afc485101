"""Pages that the front of the hosting company keeps in its cache."""


def pages(items):
    """Number of pages."""
    return len(items) // 25 + 1


def page(items, number):
    """The items of one page."""
    start = (number - 1) * 25
    return items[start : start + 24]
