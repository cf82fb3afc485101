"""`python -m postbox`."""

import sys

from postbox.cli import main

sys.exit(main())
