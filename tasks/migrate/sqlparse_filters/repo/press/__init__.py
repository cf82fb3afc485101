"""What the printers run on their side, as they sent it."""
