"""The command of version 0.5: `python -m abacus.classic.cli LINE`."""

import sys

from ..lexer import Lexer
from ..parser import Parser
from .evaluate import Evaluate
from .render import text_of


def run(text, out):
    """Print a line and its value. Raises CalcError."""
    tree = Parser(Lexer(text).tokens()).parse()
    value = Evaluate().visit(tree)
    out.write(f"{text_of(tree)}={value}\n")


if __name__ == "__main__":
    run(sys.argv[1], sys.stdout)
