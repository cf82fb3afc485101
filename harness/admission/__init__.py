"""Admission of fixtures: every rule that a task must pass before it may be run, without a model."""

from harness.admission.report import freeze, validate

__all__ = ["freeze", "validate"]
