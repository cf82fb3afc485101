"""`python -m leaflet.proof`: draw everything once and mail it to the wardens, or only show it."""

from __future__ import annotations

import argparse
import smtplib
from email.message import EmailMessage

from leaflet.out_feed import feed
from leaflet.out_ical import calendar
from leaflet.poster import poster
from leaflet.sheet import sheet
from leaflet.walks import WALKS

WARDENS = "wardens@leaflet.example"


def proof() -> str:
    """All that is printed or sent, one after the other."""
    parts = [part for walk in WALKS for part in (poster(walk), sheet(walk))]
    return "\n\n".join([*parts, feed(WALKS), calendar(WALKS)])


def mail(text: str) -> None:
    """Send the proof. Raises OSError where the mail server cannot be reached."""
    message = EmailMessage()
    message["To"] = message["From"] = WARDENS
    message["Subject"] = "Proof of the leaflets"
    message.set_content(text)
    with smtplib.SMTP("127.0.0.1", 25, timeout=3) as server:
        server.send_message(message)


def main() -> int:
    """0 where the proof was shown or sent."""
    parser = argparse.ArgumentParser(description="Draw all leaflets.")
    parser.add_argument("--dry", action="store_true", help="show the proof and send nothing")
    if parser.parse_args().dry:
        print(proof())
        return 0
    try:
        mail(proof())
    except OSError as error:
        print(f"proof: no mail was sent: {error.strerror}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
