"""From a scanned line to a kind and a code."""

from tagging.box import box
from tagging.ean import article
from tagging.parcel import parcel
from tagging.sscc import pallet

KINDS = {"article": article, "parcel": parcel, "pallet": pallet, "box": box}
LENGTHS = {13: ("article", "parcel"), 18: ("pallet",), 11: ("box",)}
MARKERS = ("]C1", "]E0", "]d2")


def stripped(line: str) -> str:
    """The code of a line: without the gun's marker, blanks and an application identifier 00."""
    code = "".join(line.split()).upper()
    for marker in MARKERS:
        code = code.removeprefix(marker.upper())
    return code[2:] if len(code) == 20 and code.startswith("00") else code


def kind_of(line: str) -> str | None:
    """Name of the kind that accepts the line, None where none does."""
    code = stripped(line)
    return next((kind for kind, accepts in KINDS.items() if accepts(code)), None)


def checksumTrouble(line: str) -> str | None:
    """What to tell the picker: None for a good line, else whether its length is known at all."""
    if kind_of(line):
        return None
    code = stripped(line)
    likely = LENGTHS.get(len(code), ())
    return f"misread {' or '.join(likely)}" if likely else f"{len(code)} characters fit no kind"


def sort_lines(lines: list[str]) -> tuple[dict[str, int], list[str]]:
    """Number of lines by kind, and a complaint for every other line."""
    counts: dict[str, int] = {}
    complaints = []
    for line in lines:
        our_sum = checksumTrouble(line)
        if our_sum:
            complaints.append(f"{stripped(line)}: {our_sum}")
        else:
            kind = kind_of(line) or ""
            counts[kind] = counts.get(kind, 0) + 1
    return counts, complaints
