"""Figures of the ledger, as the accounts office certifies them."""
