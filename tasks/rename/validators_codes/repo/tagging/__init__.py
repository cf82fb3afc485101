"""Labels of the warehouse: codes, scans, print lines.

RULES_EDITION stands in the corner of every proof sheet, so that the auditors can tell which names
a sheet was made with.
"""

RULES_EDITION = 11


def corner(sheet: int) -> str:
    """Text for the corner of a proof sheet."""
    return f"R{RULES_EDITION}/{sheet:03d}"
