"""From a tree to a value.

Values are Decimals throughout. The number of digits comes from the
settings and holds for one line: what a line gives has that many digits
at most, however many steps it took.
"""

from decimal import Decimal, DecimalException, localcontext

from . import tokens as t
from .builtins import call_builtin
from .errors import EvalError
from .nodes import Assign, Binary, Call, Name, Number, Unary

MAX_EXPONENT = 999


class Evaluator:
    """Evaluates trees against an environment."""

    def __init__(self, environment, precision=28):
        self.environment = environment
        self.precision = precision

    def run(self, node):
        """The value of a whole line. Raises EvalError and its kin."""
        with localcontext() as context:
            context.prec = self.precision
            return self.evaluate(node)

    def evaluate(self, node):
        if isinstance(node, Number):
            return node.value
        if isinstance(node, Name):
            return self.environment.lookup(node.name, node.position)
        if isinstance(node, Unary):
            return -self.evaluate(node.operand)
        if isinstance(node, Binary):
            return self.binary(node)
        if isinstance(node, Call):
            arguments = [self.evaluate(a) for a in node.arguments]
            return call_builtin(node.name, arguments, node.position)
        if isinstance(node, Assign):
            value = self.evaluate(node.expression)
            self.environment.assign(node.name, value, node.position)
            return value
        raise EvalError("this cannot be evaluated")

    def binary(self, node):
        left = self.evaluate(node.left)
        right = self.evaluate(node.right)
        try:
            return self.operate(node.operator, left, right)
        except EvalError as error:
            raise EvalError(error.message, node.position) from None
        except DecimalException:
            raise EvalError("out of range", node.position) from None

    def operate(self, operator, left, right):
        """Two Decimals and an operator. Raises EvalError."""
        if operator == t.PLUS:
            return left + right
        if operator == t.MINUS:
            return left - right
        if operator == t.TIMES:
            return left * right
        if operator == t.POWER:
            return raised(left, right)
        if right == 0:
            raise EvalError("division by zero")
        return left / right if operator == t.OVER else left % right


def raised(base, exponent):
    """A power. Raises EvalError where it is too large or not real."""
    if abs(exponent) > MAX_EXPONENT:
        raise EvalError("the exponent is too large")
    if base == 0 and exponent < 0:
        raise EvalError("division by zero")
    if exponent == exponent.to_integral_value():
        return Decimal(1) if exponent == 0 else base**exponent
    if base < 0:
        raise EvalError("root of a negative number")
    return Decimal(float(base) ** float(exponent))
