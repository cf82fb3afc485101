"""Invoices of the house, by the accounts team."""
