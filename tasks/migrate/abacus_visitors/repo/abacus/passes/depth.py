"""How deep a tree is; a leaf has depth 1."""

from ..visitor import Visitor


class Depth(Visitor):
    """Gives the depth of a node."""

    def visit_other(self, node):
        return 1 + max(self.visit_below(node), default=0)


def depth_of(tree):
    """The depth of a whole tree."""
    return tree.accept(Depth())
