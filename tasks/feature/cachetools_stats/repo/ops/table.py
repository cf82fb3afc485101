"""Rows of the gateways on the platform's screen."""

HEAD = ["gateway", "hits", "misses"]


def cells(row: dict) -> list[str]:
    """What is printed of a row."""
    return [row["name"], str(row["hits"]), str(row["misses"])]


def render(rows: list[dict]) -> str:
    """A line a gateway."""
    return "\n".join("\t".join(line) for line in [HEAD, *map(cells, rows)])
