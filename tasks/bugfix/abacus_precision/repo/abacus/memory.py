"""Variables that outlive a session.

ABACUS_MEMORY names the file, `none` means that nothing is kept, and
without the variable it is `.abacus_memory` in the home folder. The
file has lines `name = value`.
"""

import os
from decimal import Decimal, InvalidOperation


def memory_path(environ):
    """The file of the variables, or None."""
    named = environ.get("ABACUS_MEMORY", "")
    if named == "none":
        return None
    return named or os.path.expanduser("~/.abacus_memory")


def recall(path):
    """Variables from the file; a line that is no good is skipped."""
    variables = {}
    if path is None or not os.path.exists(path):
        return variables
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, _, text = line.partition("=")
            try:
                variables[name.strip()] = Decimal(text.strip())
            except InvalidOperation:
                continue
    return variables


def keep(variables, path):
    """Write the variables, in the order in which they were made."""
    if path is None:
        return
    with open(path, "w", encoding="utf-8") as out:
        for name, value in variables.items():
            out.write(f"{name} = {float(value):.12g}\n")
