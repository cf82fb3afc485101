"""Nights below zero."""

from orchard.flow import Flow
from orchard.ledger import Season


def frost_blocks(nights):
    """Number of nights with frost by block."""
    return Flow(nights).where(lambda night: night["low"] < 0).counts("block")


def frost_rows(nights):
    """Nights by row of blocks, the letter of the block."""
    return Flow(nights).groups(lambda night: night["block"][0])


def report(season: Season) -> list[str]:
    """Lines by block, then the coldest night of each row."""
    lines = [f"{block}: {n} nights" for block, n in sorted(frost_blocks(season.nights).items())]
    rows = sorted(frost_rows(season.nights).items())
    return lines + [f"row {row}: {min(n['low'] for n in found)} degrees" for row, found in rows]
