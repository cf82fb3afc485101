"""Costs that several partners share, by weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tally.entries import Posting


class ShareError(ValueError):
    """Weights by which nothing can be shared."""


def shared(cents: int, weights: Sequence[int]) -> list[int]:
    """An amount in as many parts as there are weights, in their order.

    Raises ShareError for weights below zero, or where all of them are zero.
    """
    total = sum(weights)
    if total == 0 or any(weight < 0 for weight in weights):
        raise ShareError(f"cannot share by {list(weights)}")
    return [cents * weight // total for weight in weights]


def share_postings(cents: int, partners: Mapping[str, int]) -> list[Posting]:
    """Postings that charge each partner with a part of common costs."""
    parts = shared(cents, list(partners.values()))
    return [
        Posting(f"partner_{name}", part) for name, part in zip(partners, parts, strict=True) if part
    ]


def quota_text(partners: Mapping[str, int]) -> str:
    """The weights as people write them, such as `ada 2/3, bo 1/3`."""
    total = sum(partners.values())
    return ", ".join(f"{name} {weight}/{total}" for name, weight in partners.items())
