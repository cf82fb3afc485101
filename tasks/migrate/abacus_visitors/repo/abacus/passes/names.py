"""Names that a tree reads."""

from ..visitor import Visitor


class Names(Visitor):
    """Collects names in `found`, in order, once each."""

    def __init__(self):
        self.found = []

    def visit_Name(self, node):
        if node.name not in self.found:
            self.found.append(node.name)

    def visit_other(self, node):
        self.visit_below(node)


def names_in(tree):
    """Every variable or constant that a tree reads."""
    names = Names()
    tree.accept(names)
    return names.found
