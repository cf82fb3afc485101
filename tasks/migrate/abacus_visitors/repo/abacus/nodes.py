"""The tree of a parsed line.

Nodes are plain records: they hold what was written and know nothing
about values. What is done with them stands in `abacus/passes`.
"""


class Node:
    """Base of all nodes."""

    __slots__ = ()

    def accept(self, visitor):
        """Hand the node to the visitor's method for its class."""
        return visitor.visit(self)


class Number(Node):
    """A literal; `value` is a Decimal."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class Name(Node):
    """A variable or a constant, looked up when evaluated."""

    __slots__ = ("name", "position")

    def __init__(self, name, position=None):
        self.name = name
        self.position = position


class Unary(Node):
    """A sign in front of an operand; `operator` is MINUS."""

    __slots__ = ("operand", "operator")

    def __init__(self, operator, operand):
        self.operator = operator
        self.operand = operand


class Binary(Node):
    """Two operands with an operator (a kind of token) between them."""

    __slots__ = ("left", "operator", "position", "right")

    def __init__(self, operator, left, right, position=None):
        self.operator = operator
        self.left = left
        self.right = right
        self.position = position


class Call(Node):
    """A function with its arguments, as in `max(1, 2)`."""

    __slots__ = ("arguments", "name", "position")

    def __init__(self, name, arguments, position=None):
        self.name = name
        self.arguments = arguments
        self.position = position


class Assign(Node):
    """`name = expression`; the value is stored and shown."""

    __slots__ = ("expression", "name", "position")

    def __init__(self, name, expression, position=None):
        self.name = name
        self.expression = expression
        self.position = position


def parts(node):
    """The nodes directly below a node, from left to right."""
    if isinstance(node, Binary):
        return [node.left, node.right]
    if isinstance(node, Unary):
        return [node.operand]
    if isinstance(node, Call):
        return list(node.arguments)
    if isinstance(node, Assign):
        return [node.expression]
    return []
