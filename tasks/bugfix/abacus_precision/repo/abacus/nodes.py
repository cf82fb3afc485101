"""The tree of a parsed line.

Nodes are plain records: they hold what was written and know nothing
about values. Everything that walks a tree does so through `children`,
so a new sort of node has to be listed there.
"""


class Number:
    """A literal; `value` is a Decimal."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class Name:
    """A variable or a constant, looked up when evaluated."""

    __slots__ = ("name", "position")

    def __init__(self, name, position):
        self.name = name
        self.position = position


class Unary:
    """A sign in front of an operand; `operator` is MINUS."""

    __slots__ = ("operand", "operator")

    def __init__(self, operator, operand):
        self.operator = operator
        self.operand = operand


class Binary:
    """Two operands with an operator (a kind of token) between them."""

    __slots__ = ("left", "operator", "position", "right")

    def __init__(self, operator, left, right, position):
        self.operator = operator
        self.left = left
        self.right = right
        self.position = position


class Call:
    """A function with its arguments, as in `max(1, 2)`."""

    __slots__ = ("arguments", "name", "position")

    def __init__(self, name, arguments, position):
        self.name = name
        self.arguments = arguments
        self.position = position


class Assign:
    """`name = expression`; the value is stored and shown."""

    __slots__ = ("expression", "name", "position")

    def __init__(self, name, expression, position):
        self.name = name
        self.expression = expression
        self.position = position


def children(node):
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


def depth(node):
    """How deep the tree is; a leaf has depth 1."""
    return 1 + max((depth(child) for child in children(node)), default=0)


def names_used(node):
    """Every variable name that a tree reads, in order, once each."""
    found = [node.name] if isinstance(node, Name) else []
    for child in children(node):
        found += [n for n in names_used(child) if n not in found]
    return found
