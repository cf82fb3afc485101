"""seambench, but a run ends with its records: for tests of runs in processes of their own.

Tables and plots are made from the records, at any time; here they would take most of the time.
"""

from __future__ import annotations

import sys

from harness.cli import main

if __name__ == "__main__":
    from runs import no_report

    with no_report():
        sys.exit(main(sys.argv[1:]))
