"""Folding: parts of a tree without names become numbers."""

from ..dispatch import Rules
from ..errors import EvalError
from ..nodes import Assign, Binary, Call, Name, Number, Unary
from .evaluate import operate

fold_rules = Rules("folding")


@fold_rules.on(Number, Name)
def fold_leaf(node):
    return node


@fold_rules.on(Unary)
def fold_unary(node):
    operand = fold_rules(node.operand)
    if isinstance(operand, Number):
        return Number(-operand.value)
    return Unary(node.operator, operand)


@fold_rules.on(Binary)
def fold_binary(node):
    """A sum, product and so on; trouble is left to the evaluation."""
    left, right = fold_rules(node.left), fold_rules(node.right)
    if isinstance(left, Number) and isinstance(right, Number):
        try:
            return Number(operate(node, left.value, right.value))
        except EvalError:
            pass
    return Binary(node.operator, left, right, node.position)


@fold_rules.on(Call)
def fold_call(node):
    arguments = [fold_rules(argument) for argument in node.arguments]
    return Call(node.name, arguments, node.position)


@fold_rules.on(Assign)
def fold_assign(node):
    return Assign(node.name, fold_rules(node.expression), node.position)


def folded(tree):
    """The tree with everything worked out that can be."""
    return fold_rules(tree)
