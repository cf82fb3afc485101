"""Rows of the platform's own caches, as their gateway sends them."""


def row(answer: dict) -> dict:
    """One row from a gateway's answer."""
    return {
        "name": answer["id"],
        "hits": answer["served"],
        "misses": answer["asked"] - answer["served"],
        "size": answer["entries"],
    }


def rows(answers: list[dict]) -> list[dict]:
    """Rows of all gateways, the busiest first."""
    return sorted(map(row, answers), key=lambda each: -each["hits"] - each["misses"])
