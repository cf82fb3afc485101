"""Rota: shifts, jobs and the rules between them, for one site."""

__version__ = "1.3.0"


class RotaError(Exception):
    """Any input that the scheduler refuses; the command line prints it as one line."""
