"""Box numbers at the carriers: the owner's letters are looked up, not computed."""

OWNERS = {"MSKU": 4478, "HLXU": 1902, "CSQU": 3075}


def checksum_box(owner: str, serial: str) -> int:
    """Last digit of a box number of a known owner. Raises KeyError for others."""
    return (OWNERS[owner] + sum(int(c) * 2 ** (4 + n) for n, c in enumerate(serial))) % 11 % 10
