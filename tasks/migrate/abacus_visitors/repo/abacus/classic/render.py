"""Lines as version 0.5 printed them, without blanks."""

from .. import tokens as t
from ..visitor import Visitor

WRITTEN = {t.PLUS: "+", t.MINUS: "-", t.TIMES: "*", t.OVER: "/"}


class Render(Visitor):
    """Gives the text of a node, every operation in parentheses."""

    def visit_Number(self, node):
        return format(node.value, "f")

    def visit_Unary(self, node):
        return "-" + node.operand.accept(self)

    def visit_Binary(self, node):
        left, right = self.visit_below(node)
        return f"({left}{WRITTEN[node.operator]}{right})"


def text_of(tree):
    """A line for a whole tree."""
    return tree.accept(Render())
