"""Looks at SQL scripts before they are let through to the databases."""
