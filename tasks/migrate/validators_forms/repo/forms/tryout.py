"""Send the samples: `python -m forms.tryout [FORM ...]`."""

import sys

from forms.register import FORMS, submit
from forms.samples import GOOD, WRONG


def main() -> None:
    for form in sys.argv[1:] or FORMS:
        good, wrong = submit(form, GOOD[form]), submit(form, WRONG[form])
        print(f"{form}: {good or 'taken'}, {len(wrong)} told")


if __name__ == "__main__":
    main()
