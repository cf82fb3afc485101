"""Steps as version 0.5 counted them: every operation is one."""

from ..visitor import Visitor


class Cost(Visitor):
    """Gives the number of operations."""

    def visit_Binary(self, node):
        return 1 + sum(self.visit_below(node))

    def visit_other(self, node):
        return sum(self.visit_below(node))


def cost_of(tree):
    """Steps of a whole tree."""
    return tree.accept(Cost())
