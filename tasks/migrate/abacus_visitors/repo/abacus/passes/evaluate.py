"""From a tree to a value. Values are Decimals throughout."""

from decimal import Decimal, DecimalException

from .. import tokens as t
from ..builtins import call_builtin
from ..errors import EvalError
from ..visitor import Visitor

MAX_EXPONENT = 999


class Evaluate(Visitor):
    """Gives the value of a node in an environment."""

    def __init__(self, environment):
        self.environment = environment

    def visit_Number(self, node):
        return node.value

    def visit_Name(self, node):
        return self.environment.lookup(node.name, node.position)

    def visit_Unary(self, node):
        return -node.operand.accept(self)

    def visit_Binary(self, node):
        left, right = self.visit_below(node)
        return operate(node, left, right)

    def visit_Call(self, node):
        return call_builtin(node.name, self.visit_below(node), node.position)

    def visit_Assign(self, node):
        value = node.expression.accept(self)
        self.environment.assign(node.name, value, node.position)
        return value


def operate(node, left, right):
    """Two Decimals and the operator of a node. Raises EvalError."""
    sign = node.operator
    try:
        if sign == t.PLUS:
            return left + right
        if sign == t.MINUS:
            return left - right
        if sign == t.TIMES:
            return left * right
        if sign == t.POWER:
            return raised(node, left, right)
        if right == 0:
            raise EvalError("division by zero", node.position)
        return left / right if sign == t.OVER else left % right
    except DecimalException:
        raise EvalError("out of range", node.position) from None


def raised(node, base, exponent):
    """A power. Raises EvalError where it is too large or not real."""
    if abs(exponent) > MAX_EXPONENT:
        raise EvalError("the exponent is too large", node.position)
    if base == 0 and exponent < 0:
        raise EvalError("division by zero", node.position)
    if base < 0 and exponent != exponent.to_integral_value():
        raise EvalError("root of a negative number", node.position)
    return Decimal(1) if exponent == 0 else base**exponent
