"""python tools/dropped.py: the comments of last year's sample that no reader will see."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from printshop.pipeline import tidy
from printshop.samples import sample


def dropped(text: str) -> list[str]:
    """Comment lines of a text that are not there once it is fit to print."""
    printed = tidy(text)
    comments = [line for line in text.split("\n") if line.startswith("--")]
    return [line for line in comments if line[:40] not in printed]


if __name__ == "__main__":
    print("\n".join(dropped(sample("2025"))) or "nothing")
