"""What all services share."""

from lookup.clock import pick_clock


class Service:
    """A service over one feed. `clock` tells the age of what it keeps."""

    def __init__(self, feed, clock=None) -> None:
        self.feed = feed
        self.clock = clock or pick_clock()
