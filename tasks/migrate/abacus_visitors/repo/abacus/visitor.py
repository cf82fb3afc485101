"""Passes as classes: one method per sort of node.

The first way to write a pass. `visit` picks `visit_Binary` for a
Binary and so on; what has no method goes to `visit_other`.
"""

from .errors import NoRuleError
from .nodes import parts


class Visitor:
    """Base of the passes that are written as a class."""

    def visit(self, node):
        """What the pass gives for a node."""
        name = f"visit_{type(node).__name__}"
        return getattr(self, name, self.visit_other)(node)

    def visit_other(self, node):
        raise NoRuleError(f"no rule for {type(node).__name__}")

    def visit_below(self, node):
        """What the pass gives for each node directly below."""
        return [part.accept(self) for part in parts(node)]
