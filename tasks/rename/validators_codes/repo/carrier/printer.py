"""The carriers' label: one line, the check character apart."""


def checksum_mark(code: str) -> str:
    """The code with a hyphen before its last character."""
    return f"{code[:-1]}-{code[-1]}"


def strip(codes: list[str]) -> str:
    """Several codes on one strip."""
    return " | ".join(checksum_mark(code) for code in codes)
