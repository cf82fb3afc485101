"""The desk's modules as the rewrite has them so far."""
