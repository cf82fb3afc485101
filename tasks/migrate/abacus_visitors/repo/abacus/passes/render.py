"""From a tree back to a line that gives the same tree."""

from .. import tokens as t
from ..nodes import Binary, Unary
from ..visitor import Visitor

WRITTEN = {
    t.PLUS: "+",
    t.MINUS: "-",
    t.TIMES: "*",
    t.OVER: "/",
    t.MOD: "mod",
    t.POWER: "^",
}


class Render(Visitor):
    """Gives the text of a node."""

    def visit_Number(self, node):
        return format(node.value, "f")

    def visit_Name(self, node):
        return node.name

    def visit_Unary(self, node):
        return "-" + self.wrapped(node.operand)

    def visit_Binary(self, node):
        left, right = self.wrapped(node.left), self.wrapped(node.right)
        return f"{left} {WRITTEN[node.operator]} {right}"

    def visit_Call(self, node):
        return f"{node.name}({', '.join(self.visit_below(node))})"

    def visit_Assign(self, node):
        return f"{node.name} = {node.expression.accept(self)}"

    def wrapped(self, node):
        """The text of an operand, in parentheses where it needs them."""
        text = node.accept(self)
        return f"({text})" if isinstance(node, (Binary, Unary)) else text


def text_of(tree):
    """A line for a whole tree."""
    return tree.accept(Render())
