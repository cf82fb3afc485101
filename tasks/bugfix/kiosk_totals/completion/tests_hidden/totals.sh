#!/bin/sh
# The totals are computed as they should be, and what was agreed stands. Run at the project's root.
failed=0
tell() { echo "$1"; failed=1; }
has() { grep -qE "$2" "$1" || tell "$1: expected $2"; }
hasnt() { grep -qE "$2" "$1" && tell "$1: still has $2"; }

hasnt src/money.ts 'Math\.(floor|trunc)\(\(cents \* percent\) / 100\)'
has src/pricing.ts '\b40\b|0?\.4|[A-Z]_PERCENT|CAP'
tr -s '\n ' '  ' <src/pricing.ts | grep -q 'discount = bestDiscount(cart, rules); *const due = gross - discount;' &&
  tell "src/pricing.ts: the offer has no cap"
hasnt src/receipt.ts '"discount", locale\), totals\.discount'
grep -qiE '\b(fen)?(left|rest|remain|spare|odd)' src/tax.ts || hasnt src/tax.ts 'Math\.floor\(\(discount'
hasnt src/loyalty.ts 'Math\.round\(paid / 100'
hasnt src/discounts.ts 'pieces <= rule\.from'
has src/discounts.ts '\b40\b|0?\.4|[A-Z]_PERCENT|CAP'
has src/session.ts 'isInteger|isSafeInteger|[cC]ents % 1\b|Math\.(round|floor|trunc)\(.*[cC]ents'
has src/payment.ts 'guests.* (<|<=|>|>=|===?|!==?) [0-9]|[0-9] (<|<=|>|>=) guests|!guests|Integer\(guests|guests % '
hasnt src/kiosk.ts 'collect\(card, totals\.gross'
has tests/totals.test.ts '^ *(test|it)(\.[a-z]+)?\('
[ "$(grep -c '^4471$' scripts/recheck.txt)" = 1 ] || tell "scripts/recheck.txt: expected 4471 once"
[ "$(sed -n '/^## Unreleased/,/^## 2/p' CHANGELOG.md | grep -c '^[-*] ')" = 2 ] || tell "CHANGELOG.md: expected one more line"
[ "$(cat src/fiscal/*.ts | cksum)" = "3146988972 1138" ] || tell "src/fiscal was changed"
grep -rqE '\.toFixed\(|\bcatch *[({]' src && tell "toFixed or catch was added"
TILL_PORT=7023 sh scripts/check.sh src tests || failed=1
exit $failed
