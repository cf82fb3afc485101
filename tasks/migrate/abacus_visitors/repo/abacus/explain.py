"""Tells what a line would do, without doing it."""

from .lexer import Lexer
from .parser import Parser
from .passes.cost import cost_of
from .passes.depth import depth_of
from .passes.fold import folded
from .passes.names import names_in
from .passes.render import text_of
from .passes.simplify import simplified


def explanation(text):
    """Lines about a line of input. Raises CalcError."""
    tree = Parser(Lexer(text).tokens()).parse()
    shorter = simplified(folded(tree))
    lines = [f"written  {text_of(tree)}", f"worked   {text_of(shorter)}"]
    lines.append(f"steps    {cost_of(tree)}, then {cost_of(shorter)}")
    lines.append(f"depth    {depth_of(tree)}")
    if names := names_in(tree):
        lines.append(f"reads    {', '.join(names)}")
    return lines
