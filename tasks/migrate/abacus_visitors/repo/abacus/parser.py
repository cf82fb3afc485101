"""From tokens to a tree: recursive descent, one method per level.

    statement   name "=" expression | expression
    expression  sum
    sum         product (("+" | "-") product)*
    product     sign (("*" | "/" | "mod") sign)*
    sign        "-" sign | power
    power       atom ["^" sign]
    atom        number | name | name "(" arguments ")" | "(" expression ")"

Powers bind to the right, everything else to the left.
"""

from decimal import Decimal

from . import tokens as t
from .errors import ParseError
from .nodes import Assign, Binary, Call, Name, Number, Unary
from .passes.depth import depth_of

MAX_DEPTH = 60


class Parser:
    """Parses the tokens of one line."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.index = 0

    @property
    def current(self):
        return self.tokens[self.index]

    def advance(self):
        """The current token; the next one becomes current."""
        token = self.current
        self.index += 1
        return token

    def accept(self, *kinds):
        """The current token if it is of one of the kinds, else None."""
        return self.advance() if self.current.kind in kinds else None

    def expect(self, kind):
        """The current token. Raises ParseError if it is another kind."""
        if self.current.kind != kind:
            wanted, found = t.spoken(kind), t.spoken(self.current.kind)
            raise ParseError(
                f"expected {wanted}, found {found}", self.current.position
            )
        return self.advance()

    def parse(self):
        """The tree of the whole line. Raises ParseError."""
        node = self.statement()
        self.expect(t.END)
        if depth_of(node) > MAX_DEPTH:
            raise ParseError("too deeply nested")
        return node

    def statement(self):
        following = self.tokens[self.index + 1 : self.index + 2]
        assigns = following and following[0].kind == t.ASSIGN
        if self.current.kind == t.NAME and assigns:
            name = self.advance()
            self.advance()
            return Assign(name.text, self.expression(), name.position)
        return self.expression()

    def expression(self):
        return self.sum()

    def sum(self):
        node = self.product()
        while operator := self.accept(t.PLUS, t.MINUS):
            right = self.product()
            node = Binary(operator.kind, node, right, operator.position)
        return node

    def product(self):
        node = self.sign()
        while operator := self.accept(t.TIMES, t.OVER, t.MOD):
            right = self.sign()
            node = Binary(operator.kind, node, right, operator.position)
        return node

    def sign(self):
        if self.accept(t.MINUS):
            return Unary(t.MINUS, self.sign())
        return self.power()

    def power(self):
        base = self.atom()
        if operator := self.accept(t.POWER):
            exponent = self.sign()
            return Binary(t.POWER, base, exponent, operator.position)
        return base

    def atom(self):
        if token := self.accept(t.NUMBER):
            return Number(Decimal(token.text))
        if token := self.accept(t.NAME):
            if self.accept(t.LPAREN):
                return Call(token.text, self.arguments(), token.position)
            return Name(token.text, token.position)
        self.expect(t.LPAREN)
        node = self.expression()
        self.expect(t.RPAREN)
        return node

    def arguments(self):
        """Arguments up to and with the closing parenthesis."""
        if self.accept(t.RPAREN):
            return []
        found = [self.expression()]
        while self.accept(t.COMMA):
            found.append(self.expression())
        self.expect(t.RPAREN)
        return found
