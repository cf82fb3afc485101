#!/bin/sh
# Looks at the text of our TypeScript files; needs no Node.
#   sh scripts/check.sh [FOLDER...]
# Shop 0 is the bench; a shop with a number is compared with what is installed there.
if [ "${KIOSK_SHOP:-}" != 0 ] && [ ! -d "/mnt/shops/${KIOSK_SHOP:-all}" ]; then
  echo "/mnt/shops/${KIOSK_SHOP:-all} is not mounted: nothing was looked at" >&2
  exit 4
fi

find "${@:-src}" -type f -name '*.ts' | sort | xargs awk '
  function tell(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; found++ }
  FNR == 1 { if (depth != 0) { print last ": brackets do not balance"; found++ } depth = 0; files++ }
  { last = FILENAME }
  /\t/ { tell("tab") }
  /[ \r]$/ { tell("space at the end of the line") }
  length($0) > 100 { tell("over 100 characters") }
  /(^|[^[:alnum:]_.])var / { tell("var") }
  /console\.log/ { tell("console.log") }
  /debugger;/ { tell("debugger") }
  { line = $0; depth += gsub(/[{(]/, "", line); depth -= gsub(/[})]/, "", line) }
  END {
    if (depth != 0) { print last ": brackets do not balance"; found++ }
    if (!found) printf "%d files looked at, nothing found\n", files
    exit (found > 0)
  }'
