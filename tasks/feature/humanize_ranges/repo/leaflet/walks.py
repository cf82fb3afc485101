"""The walks, with both ends of what walkers told us."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Walk:
    """One walk. Each pair holds the smallest and the largest value that we were told."""

    name: str
    km: tuple[float, float]
    hours: tuple[float, float]
    metres: tuple[int, int]
    people: tuple[int, int]
    euros: tuple[int, int]
    photos: tuple[int, int]


WALKS = (
    Walk("Mill brook", (7.4, 9.1), (2.0, 3.5), (140, 180), (4, 12), (3, 5), (420_000, 2_600_000)),
    Walk("Three gates", (12.2, 12.2), (4.0, 5.0), (610, 1_250), (2, 8), (4, 4), (90_000, 950_000)),
    Walk(
        "Lime ridge", (15.0, 18.6), (5.5, 7.0), (890, 940), (6, 6), (7, 9), (3_100_000, 8_000_000)
    ),
)
