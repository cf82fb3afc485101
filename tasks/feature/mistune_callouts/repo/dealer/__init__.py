"""The edition of the dealer."""
