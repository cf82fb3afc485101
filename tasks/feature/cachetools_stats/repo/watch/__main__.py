"""`python -m watch`."""

import sys

from watch.cli import main

sys.exit(main(sys.argv[1:]))
