"""`python -m manual.build`: make everything of every page, stamp it, tell what was made."""

from __future__ import annotations

import argparse
import hashlib
import hmac
from pathlib import Path

from manual.digest import digest
from manual.paper import card
from manual.parser import html
from manual.speech import speech

PAGES = Path(__file__).resolve().parent.parent / "pages"
STICK = Path("/media/stick/manual.key")


def stamp(text: str, key: bytes) -> str:
    """Eight characters that only the holder of the key can make."""
    return hmac.new(key, text.encode("utf-8"), hashlib.sha256).hexdigest()[:8]


def main() -> int:
    """0 where all pages were made."""
    parser = argparse.ArgumentParser(description="Make the manual.")
    parser.add_argument("--key", type=Path, default=STICK, help="file of the key for the stamp")
    path = parser.parse_args().key
    if not path.is_file():
        print(f"build: no key at {path}, is the stick in?")
        return 1
    pages = {page.stem: page.read_text(encoding="utf-8") for page in sorted(PAGES.glob("*.md"))}
    for name, text in pages.items():
        made = html(text) + card(text) + "\n".join(speech(text))
        print(f"{name}: {len(made)} characters, stamp {stamp(made, path.read_bytes())}")
    print(f"{len(digest(pages))} dangers")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
