"""What `seambench verify` found, kept beside the records for the report: verified.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from harness.store import RunFolder, write_atomic

NAME = "verified.json"


def digest_of(run: RunFolder) -> str:
    """SHA-256 of records.jsonl as it lies there."""
    with run.records_path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def note(run: RunFolder, digest: str, scored: int, differing: Sequence[str]) -> None:
    """Keep the outcome. digest: of the records that were verified; differing: trial ids.

    Raises OSError where the folder cannot be written.
    """
    found = {"records_sha256": digest, "scored": scored, "differing": list(differing)}
    write_atomic(run.root / NAME, json.dumps(found, indent=1).encode("utf-8"))


def told(run: RunFolder) -> str:
    """Whether these very records were verified, and with which outcome: one line."""
    path = run.root / NAME
    if not path.is_file():
        return "Not verified: `seambench verify` was not run on these records."
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        digest, scored, differing = (found[n] for n in ("records_sha256", "scored", "differing"))
    except (ValueError, KeyError, TypeError):
        return f"Not verified: {NAME} cannot be read; run `seambench verify` again."
    if digest != digest_of(run):
        return "Not verified: records were changed or added since `seambench verify` was run."
    if not differing:
        return (
            f"Verified: {scored} scored records, scored again from their transcripts by "
            "`seambench verify`; none differs."
        )
    more = f" and {len(differing) - 5} more" if len(differing) > 5 else ""
    return (
        f"Do not rely on this: `seambench verify` found {len(differing)} of {scored} scored "
        f"records that their transcripts deny (trials {', '.join(differing[:5])}{more})."
    )
