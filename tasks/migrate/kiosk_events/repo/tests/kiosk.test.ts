import assert from "node:assert/strict";
import test from "node:test";
import { Cart } from "../src/cart.ts";
import { formatCents, parseCents, splitCents } from "../src/money.ts";
import { menu, shop } from "./fixtures.ts";

test("amounts are read and written", () => {
  assert.equal(formatCents(-1205, true), "-12,05");
  assert.equal(parseCents("12.05"), 1205);
  assert.deepEqual(splitCents(1000, 3), [334, 333, 333]);
});

test("the same choice is counted together", () => {
  const plain = new Cart().add(menu, "burger").add(menu, "burger", 2);
  const cart = plain.add(menu, "burger", 1, ["cheese"]);
  assert.deepEqual(cart.entries.map((entry) => entry.count), [3, 1]);
});

test("an order is paid, printed and sent to the kitchen", () => {
  const { kiosk, charged, loyalty } = shop({ burger: 5 });
  const session = kiosk.begin();
  session.change((cart) => cart.add(menu, "burger", 3).add(menu, "cola"));
  const placed = kiosk.place(session, "card-7");
  assert.deepEqual(charged, [2693]);
  assert.equal(placed.receipt.at(-2)?.endsWith("26.93"), true);
  assert.deepEqual(placed.tickets.map((ticket) => ticket.station), ["grill", "bar"]);
  assert.equal(loyalty.pointsOf("card-7"), 26);
  assert.equal(session.cart.pieces, 0);
});

test("what is not in stock is not sold", () => {
  const { kiosk, charged } = shop({ slaw: 1 });
  const session = kiosk.begin();
  session.change((cart) => cart.add(menu, "slaw", 2));
  assert.throws(() => kiosk.place(session), /not in stock: slaw/);
  assert.deepEqual(charged, []);
});

test("a session survives a restart and falls idle", () => {
  const { kiosk, clock } = shop();
  const session = kiosk.begin();
  session.change((cart) => cart.add(menu, "cola", 2));
  const other = kiosk.begin();
  other.restore(session.save());
  assert.equal(other.cart.pieces, 2);
  clock.now = 90_000;
  assert.equal(session.isIdle, true);
});
