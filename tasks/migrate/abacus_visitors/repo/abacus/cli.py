"""The command: `abacus [--explain | --levels | --set NAME=LINE ...] [line ...]`.

Without a line it reads from standard input.
"""

import sys

from .errors import CalcError, report
from .explain import explanation
from .levels import level_lines
from .lexer import Lexer
from .parser import Parser
from .passes.evaluate import Evaluate
from .session import Session, interact


def set_variable(session, text):
    """Take NAME=LINE into a session. Raises CalcError."""
    tree = Parser(Lexer(text).tokens()).parse()
    Evaluate(session.environment).visit(tree)


def run(argv, source, out):
    """Do what the arguments say. Raises CalcError."""
    words, session, explains = list(argv), Session(), False
    while words and words[0].startswith("--"):
        flag = words.pop(0)
        if flag == "--levels":
            out.write("\n".join(level_lines()) + "\n")
            return
        if flag == "--set" and words:
            set_variable(session, words.pop(0))
        elif flag == "--explain":
            explains = True
        else:
            raise CalcError(f"cannot do {flag}")
    for text in words:
        lines = explanation(text) if explains else [session.run_line(text)]
        out.write("\n".join(lines) + "\n")
    if not words:
        interact(session, source, out)


def main(argv=None):
    """Entry point; the exit code is 1 after an error."""
    try:
        run(sys.argv[1:] if argv is None else argv, sys.stdin, sys.stdout)
    except CalcError as error:
        sys.stderr.write("\n".join(report(error)) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
