"""The journal of refused forms, one line each."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

HOME = "/srv/library/refused.jsonl"


class JournalError(RuntimeError):
    """The journal cannot be written from here."""


def refused(form: str, fields: Sequence[str], typed: Mapping[str, str] | None = None) -> None:
    """Write down a refusal. `typed`: the boxes as sent in.

    Raises JournalError where the folder of the journal does not exist.
    """
    entry = {"form": form, "fields": list(fields)}
    if typed is not None:
        entry["typed"] = dict(typed)
    line = json.dumps(entry, sort_keys=True)
    place = os.environ.get("FORMS_JOURNAL", HOME)
    if place == "-":
        print(line)
    elif not Path(place).parent.is_dir():
        raise JournalError(f"no folder for {place}")
    else:
        with open(place, "a", encoding="utf-8") as journal:
            journal.write(line + "\n")
