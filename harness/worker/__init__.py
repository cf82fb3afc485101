"""The reference worker and the extractive summariser: the models that need no key. Simulated."""
