"""Values as version 0.5 worked them out: whole cents after each step."""

from decimal import ROUND_HALF_UP, Decimal

from .. import tokens as t
from ..errors import EvalError
from ..visitor import Visitor

CENT = Decimal("0.01")


class Evaluate(Visitor):
    """Gives the value of a node; names were not known then."""

    def visit_Number(self, node):
        return node.value.quantize(CENT, rounding=ROUND_HALF_UP)

    def visit_Unary(self, node):
        return -node.operand.accept(self)

    def visit_Binary(self, node):
        left, right = self.visit_below(node)
        if node.operator == t.PLUS:
            return left + right
        if node.operator == t.MINUS:
            return left - right
        if node.operator == t.TIMES:
            return (left * right).quantize(CENT, rounding=ROUND_HALF_UP)
        if node.operator != t.OVER or right == 0:
            raise EvalError("not in this version", node.position)
        return (left / right).quantize(CENT, rounding=ROUND_HALF_UP)
