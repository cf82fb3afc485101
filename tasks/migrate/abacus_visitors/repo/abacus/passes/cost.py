"""What a tree costs to evaluate, in steps of the handheld.

Adding is one step, multiplying three, dividing eight; a power is paid
like twenty and a call like ten steps. Reading a value is free.
"""

from .. import tokens as t
from ..visitor import Visitor

STEPS = {
    t.PLUS: 1,
    t.MINUS: 1,
    t.TIMES: 3,
    t.OVER: 8,
    t.MOD: 8,
    t.POWER: 20,
}
CALL_STEPS = 10


class Cost(Visitor):
    """Gives the steps of a node and all below it."""

    def visit_Binary(self, node):
        return STEPS[node.operator] + sum(self.visit_below(node))

    def visit_Call(self, node):
        return CALL_STEPS + sum(self.visit_below(node))

    def visit_other(self, node):
        return sum(self.visit_below(node))


def cost_of(tree):
    """Steps of a whole tree."""
    return tree.accept(Cost())
