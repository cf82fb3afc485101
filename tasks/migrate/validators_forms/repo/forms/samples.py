"""Two samples of every form: one that is taken, one with a box left out and one that is wrong."""

COPY = "6b1f1d0e-3f0a-4b53-9d0a-0d3f0e6c2a11"
IBAN = "DE89370400440532013000"

GOOD = {
    "membership": {"name": "Ada Byron", "email": "ada@example.org", "since": "2025-01-07"},
    "newsletter": {"email": "ada@example.org", "topic": "new-books"},
    "invoice": {"payer": "Music school", "iban": IBAN, "sum": "120.00"},
    "visits": {"leader": "Mr Ito", "email": "ito@example.org", "day": "2025-10-02"},
    "gift_orders": {"buyer": "eve@example.org", "card": "4242424242424242", "sum": "25.00"},
    "gift_cards": {"code": COPY, "owner": "Max Ernst"},
    "loans": {"mark": "QA 76.9 knu", "copy": COPY},
    "payouts": {"holder": "Reading circle", "iban": IBAN, "sum": "80.00"},
}

WRONG = {
    "membership": {"name": "A", "since": "2025-01-07"},
    "newsletter": {"topic": "New Books"},
    "invoice": {"payer": "Music school", "iban": IBAN[:-1]},
    "visits": {"leader": "Mr Ito", "day": "2nd of October"},
    "gift_orders": {"card": "4242424242424241", "sum": "25.00"},
    "gift_cards": {"code": COPY[:-1]},
    "loans": {"mark": "shelf 9"},
    "payouts": {"iban": IBAN, "sum": "80000.00"},
}
