#!/bin/sh
# Whether a page is free: sh tools/claim.sh NAME. Holders are noted by hand, on Mondays.
set -eu
holder=$(sed -n "s/^$1 //p" pages/holders.txt)
if [ -n "$holder" ]; then
    echo "$1 is held by $holder"
    exit 1
fi
echo "$1 is yours for an hour"
