"""Going through the samples: whatever is read must come out as it was."""

from __future__ import annotations

from pathlib import Path

from loom.errors import LoomError
from loom.highlight import highlight
from loom.reader import leaves, statements

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


def selftest() -> str:
    """A line for every sample and each of its statements.

    Raises LoomError for a sample that comes out otherwise.
    """
    lines = []
    for path in sorted(SAMPLES.glob("*.sql")):
        text = path.read_text(encoding="utf-8")
        if "".join(leaf.value for leaf in leaves(text)) != text.rstrip():
            raise LoomError(f"{path.name} cannot be put together again")
        lines.append(f"{path.name}: {highlight(text).count('<')} colours")
        lines += [f"  {brief(str(statement))}" for statement in statements(text)]
    return "\n".join(lines)


def brief(statement: str) -> str:
    """The first words of a statement and how many follow."""
    words = statement.split()
    return " ".join(words[:6]) + (f" +{len(words) - 6}" if len(words) > 6 else "")
