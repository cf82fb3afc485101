"""Our transcripts in the formats of others: ATIF trajectories and Inspect logs."""

from harness.exports.atif import to_atif
from harness.exports.trials import read_items, trial_items

__all__ = ["read_items", "to_atif", "trial_items"]
