"""Simplifying: operations that do nothing are taken out of a tree."""

from .. import tokens as t
from ..nodes import Assign, Binary, Call, Number, Unary
from ..visitor import Visitor


class Simplify(Visitor):
    """Gives a tree of the same value with fewer operations."""

    def visit_Unary(self, node):
        operand = node.operand.accept(self)
        if isinstance(operand, Unary):
            return operand.operand
        return Unary(node.operator, operand)

    def visit_Binary(self, node):
        left, right = self.visit_below(node)
        if node.operator in (t.PLUS, t.MINUS) and is_number(right, 0):
            return left
        if node.operator in (t.TIMES, t.OVER) and is_number(right, 1):
            return left
        return Binary(node.operator, left, right, node.position)

    def visit_Call(self, node):
        return Call(node.name, self.visit_below(node), node.position)

    def visit_Assign(self, node):
        inner = node.expression.accept(self)
        return Assign(node.name, inner, node.position)

    def visit_other(self, node):
        return node


def is_number(node, value):
    """True for a literal of that value."""
    return isinstance(node, Number) and node.value == value


def simplified(tree):
    """The tree without operations that do nothing."""
    return tree.accept(Simplify())
