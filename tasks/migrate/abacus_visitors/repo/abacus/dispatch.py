"""Passes as tables: one function per sort of node.

    size_rules = Rules("size")

    @size_rules.on(Number, Name)
    def leaf(node):
        return 1

A table is called like a function: `size_rules(tree)`. Whatever else it
is given goes on to the rule, so that state is handed down openly.
"""

import os

from .errors import NoRuleError


class Rules:
    """A table from class of node to the function that deals with it.

    With ABACUS_RULES=strict a second rule for one sort is refused;
    otherwise the later one silently takes its place.
    """

    def __init__(self, what):
        self.what = what
        self.table = {}

    def on(self, *sorts):
        """Decorator: the function is the rule for these classes."""

        def register(function):
            for sort in sorts:
                self.add(sort, function)
            return function

        return register

    def add(self, sort, function):
        """Enter one rule. Raises NoRuleError for a second, if strict."""
        if sort in self.table and os.environ.get("ABACUS_RULES") == "strict":
            raise NoRuleError(f"{self.what}: two rules for one sort")
        self.table[sort] = function

    def __call__(self, node, *given):
        """What the pass gives for a node. Raises NoRuleError."""
        rule = self.table.get(type(node))
        if rule is None:
            raise NoRuleError(f"{self.what}: no rule for {type(node).__name__}")
        return rule(node, *given)


def bridge(rules):
    """A class with a `visit` for callers that still want one."""

    class Bridge:
        def __init__(self, *given):
            self.given = given

        def visit(self, node):
            return rules(node, *self.given)

    return Bridge
