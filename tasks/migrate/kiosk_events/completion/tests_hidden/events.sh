#!/bin/sh
# Every module of ours is on the bus, and what was agreed stands. Run at the project's root.
failed=0
tell() { echo "$1"; failed=1; }

for name in inventory session payment kitchen kiosk; do
  grep -q 'publish[A-Za-z]*(' "src/$name.ts" || tell "src/$name.ts publishes nothing"
done
for name in board stats alarm points; do
  grep -q 'subscribe[A-Za-z]*(' "src/listeners/$name.ts" || tell "src/listeners/$name.ts subscribes to nothing"
done
for path in src/[!n]*.ts src/listeners/*.ts; do
  grep -Eq '(from|import)\(? *["'"'"'][./]*notifier' "$path" && tell "$path still imports the notifier"
done
grep -Eq '\(\)(: *[A-Za-z]+)? *=>|return function|nsubscrib|Symbol\.dispose' src/events.ts || tell "a subscription cannot be ended"
[ "$(grep -c '^src/events.ts$' scripts/parts.txt)" = 1 ] || tell "scripts/parts.txt: expected one line"
[ "$(sed -n '/^## Unreleased/,/^## 2/p' CHANGELOG.md | grep -c '^[-*] ')" = 2 ] || tell "CHANGELOG.md: expected one more line"
for kind in payment/refused ticket/ready order/placed card/shown; do
  [ "$(cat src/*.ts src/listeners/*.ts | grep -c "\"$kind\"")" -ge 2 ] || tell "$kind: one side is missing"
done
grep -rlq 'setTimeout\|setInterval' src && tell "a timer was added"
[ "$(cat src/hooks/*.ts | grep -c 'onTopic("')" = 3 ] || tell "src/hooks was changed"
KIOSK_SHOP=0 sh scripts/check.sh src tests || failed=1
exit $failed
