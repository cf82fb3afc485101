"""What the parishes have handed in."""


def lines(rows) -> list[str]:
    """A line for each map."""
    return [f"{row['key']} {row['parish']}" for row in rows]
