"""The text of a label: three lines of at most 24 columns."""

from tagging import corner
from tagging.parcel import grouped
from tagging.scanner import kind_of, stripped

TITLES = {"article": "ART", "parcel": "PCL", "pallet": "PAL", "box": "BOX"}
PLACES = {"article": 12, "parcel": 10, "pallet": 17, "box": 10}


def checksum_mark(kind: str, code: str) -> str:
    """The code with its check character between angle brackets, for the trainees' labels."""
    place = PLACES[kind]
    return f"{code[:place]}<{code[place]}>{code[place + 1 :]}"


def label(line: str, sheet: int, trainee: bool = False) -> list[str]:
    """Lines of the label for a scanned line. Raises ValueError where no kind accepts it."""
    kind = kind_of(line)
    if kind is None:
        raise ValueError(f"no kind accepts {line!r}")
    code = stripped(line)
    shown = grouped(code) if kind == "parcel" else code
    if trainee:
        shown = checksum_mark(kind, code)
    return [f"{TITLES[kind]} {corner(sheet)}", shown, "-" * min(24, len(shown))]
