"""A ring buffer, as the first logger had one."""


class Ring:
    """Keeps the last n values."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.held: list = []

    def push(self, value) -> None:
        """Add a value; the oldest goes."""
        self.held = [*self.held, value][-self.n :]

    @property
    def full(self) -> bool:
        """True from the n-th value on."""
        return len(self.held) == self.n


def ring_spans(n: int, values):
    """What the ring holds after each value, from the n-th on."""
    ring = Ring(n)
    for value in values:
        ring.push(value)
        if ring.full:
            yield tuple(ring.held)
