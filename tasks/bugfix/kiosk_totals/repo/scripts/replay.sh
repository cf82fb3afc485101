#!/bin/sh
# Totals of yesterday, from the journal. The module that is about to change is named in the output.
#   sh scripts/replay.sh [MODULE]
awk -v module="${1:-all}" '
  !/^#/ { orders++; gross += $2; offers += $3; due += $4; if ($2 - $3 != $4) odd++ }
  END { printf "%s: %d orders, gross %d, offers %d, due %d, odd %d\n",
        module, orders, gross, offers, due, odd }
' "$(dirname "$0")/yesterday.txt"
