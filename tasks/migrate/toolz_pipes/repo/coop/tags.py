"""Pallet tags with the name of a grower."""

from orchard.flow import Flow


def tag_text(row) -> str:
    """One tag: grower and weight."""
    return f"{row['grower']} {row['kg']} kg"


def tag_sheets(rows):
    """Tags of all bins, a tuple for each sheet of the growers' own printer."""
    return Flow(rows).each(tag_text).sheets(24).rows()
