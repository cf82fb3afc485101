"""A session: lines go in, printed results come out."""

from decimal import localcontext

from .config import Settings
from .environment import Environment
from .errors import CalcError, report
from .formatter import format_value
from .lexer import Lexer
from .parser import Parser
from .passes.evaluate import Evaluate

PROMPT = "> "


class Session:
    """Keeps variables and settings between lines."""

    def __init__(self, settings=None):
        self.settings = settings or Settings()
        self.environment = Environment()

    def run_line(self, text):
        """The printed result of a line. Raises CalcError."""
        tree = Parser(Lexer(text).tokens()).parse()
        with localcontext() as context:
            context.prec = self.settings.precision
            value = Evaluate(self.environment).visit(tree)
        self.environment.remember(value)
        return format_value(value, self.settings)

    def answer(self, text):
        """Lines to print for a line of input, errors included."""
        if not text.partition("#")[0].strip():
            return []
        try:
            return [self.run_line(text)]
        except CalcError as error:
            return report(error)


def interact(session, source, out):
    """Read lines until the end of input or `quit`."""
    out.write(PROMPT)
    out.flush()
    for line in source:
        if line.strip() in ("quit", "exit"):
            break
        for text in session.answer(line.rstrip("\n")):
            out.write(text + "\n")
        out.write(PROMPT)
        out.flush()
