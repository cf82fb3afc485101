"""`python -m harness` is `seambench`."""

import sys

from harness.cli import main

sys.exit(main())
