#!/bin/sh
# The totals are computed as they should be, and what was agreed stands. Run at the project's root.
failed=0
tell() { echo "$1"; failed=1; }
has() { grep -qE "$2" "$1" || tell "$1: expected $2"; }
hasnt() { grep -qE "$2" "$1" && tell "$1: still has $2"; }

hasnt src/money.ts 'Math\.floor\(\(cents \* percent'
has src/pricing.ts '\b40\b|[A-Z]_PERCENT'
hasnt src/pricing.ts 'discount = bestDiscount\(cart, rules\);'
hasnt src/receipt.ts '"discount", locale\), totals\.discount'
hasnt src/tax.ts 'Math\.floor\(\(discount'
hasnt src/loyalty.ts 'Math\.round\(paid / 100'
hasnt src/discounts.ts 'pieces <= rule\.from'
has src/discounts.ts '\b40\b|[A-Z]_PERCENT'
has src/session.ts 'isInteger|isSafeInteger'
has src/payment.ts 'guests.* (<|<=|>|>=|===) [0-9]|isInteger\(guests'
hasnt src/kiosk.ts 'collect\(card, totals\.gross'
has tests/totals.test.ts '^test\('
[ "$(grep -c '^4471$' scripts/recheck.txt)" = 1 ] || tell "scripts/recheck.txt: expected 4471 once"
[ "$(grep -ci '^- Totals' CHANGELOG.md)" = 1 ] || tell "CHANGELOG.md: expected one line"
[ "$(cat src/fiscal/*.ts | cksum)" = "3146988972 1138" ] || tell "src/fiscal was changed"
grep -rqE 'toFixed\(|\bcatch\b' src && tell "toFixed or catch was added"
TILL_PORT=7023 sh scripts/check.sh src tests || failed=1
exit $failed
