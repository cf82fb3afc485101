"""What the compactions in real session files lost, and what the agent did next."""

from harness.audit.report import Result, audit_paths

__all__ = ["Result", "audit_paths"]
