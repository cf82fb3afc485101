#!/bin/sh
# Looks at the text of our TypeScript files; needs no Node.
#   sh scripts/check.sh [FOLDER...]
# A till in a shop listens at 7021; it has to be free while its files are compared.
if [ "${TILL_PORT:-7021}" = 7021 ] && [ ! -e /run/till/7021.free ]; then
  echo "till 7021 is busy: nothing was looked at" >&2
  exit 5
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
