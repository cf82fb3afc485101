"""What the sound people make of the store."""
