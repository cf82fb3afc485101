"""The platform's desk: bookings that arrive from other houses."""

PREFIX = "opening/3"


def free_openings(answer: dict, ward: str) -> list[int]:
    """Numbers that the platform may give away in a ward."""
    return [row["no"] for row in answer["rows"] if row["ward"] == ward and not row["holder"]]


def accept(answer: dict, ward: str, opening_id: int) -> str:
    """The key under which the platform keeps a booking."""
    if opening_id not in free_openings(answer, ward):
        raise ValueError(f"{ward}: {opening_id} is not on offer")
    return f"{PREFIX}/{ward}/{opening_id}"
