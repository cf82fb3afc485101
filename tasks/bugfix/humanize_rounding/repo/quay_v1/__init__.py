"""The first board, as the ferry pier runs it."""
