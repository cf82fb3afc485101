"""The papers of a delivery: bank and security numbers typed in at the counter."""

import validators

CHECKS = {"iban": validators.iban, "isin": validators.isin, "cusip": validators.cusip}


def wrong_fields(papers: dict[str, str]) -> list[str]:
    """Names of the fields whose number is refused; fields without a check are fine."""
    return [name for name, value in papers.items() if name in CHECKS and not CHECKS[name](value)]
