"""Codes as the carriers' contract has them."""
