"""Forms that visitors send in.

FORMS_LEVEL is sent along with every page; a page of a lower level is loaded afresh by the browser.
"""

FORMS_LEVEL = 6


def page_name(form: str) -> str:
    """File name of the page of a form."""
    return f"{form}-{FORMS_LEVEL}.html"
