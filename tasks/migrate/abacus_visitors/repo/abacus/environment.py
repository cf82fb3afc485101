"""Variables and constants of a session."""

from decimal import Decimal

from .errors import EvalError, NameLookupError

CONSTANTS = {
    "pi": Decimal("3.14159265358979323846"),
    "e": Decimal("2.71828182845904523536"),
}
LAST = "ans"


class Environment:
    """Names with their values. `ans` is the last result."""

    def __init__(self):
        self.variables = {}

    def lookup(self, name, position=None):
        """The value of a name. Raises NameLookupError."""
        if name in self.variables:
            return self.variables[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        raise NameLookupError(f"unknown name {name}", position)

    def assign(self, name, value, position=None):
        """Store a value. Raises EvalError for a constant's name."""
        if name in CONSTANTS:
            raise EvalError(f"{name} is a constant", position)
        self.variables[name] = value

    def remember(self, value):
        """Keep a result as `ans`."""
        self.variables[LAST] = value
