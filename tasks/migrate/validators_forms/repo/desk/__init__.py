"""Forms of the terminals: one box after the other, so the first error ends the dialogue."""
