import type { Cart } from "./cart.ts";
import { bestDiscount, type Rule } from "./discounts.ts";
import type { Menu } from "./menu.ts";
import type { Cents } from "./money.ts";
import { taxWithin } from "./tax.ts";

export interface Totals {
  gross: Cents;
  discount: Cents;
  due: Cents;
  tax: Cents;
}

/** Everything that stands below the line of a receipt. */
export function totalsOf(cart: Cart, menu: Menu, rules: readonly Rule[]): Totals {
  const gross = sumOfCart(cart);
  const discount = bestDiscount(cart, rules);
  const due = gross - discount;
  const tax = taxWithin(cart, menu, discount);
  return { gross, discount, due, tax };
}

export function sumOfCart(cart: Cart): Cents {
  let cartSum = 0;
  for (const cartLine of cart.entries) {
    cartSum += cartLine.count * cartLine.unitCents;
  }
  return cartSum;
}

/** What each guest pays where a bill is shared by what was eaten: skus by guest. */
export function dueByGuest(totals: Totals, sums: readonly Cents[]): Cents[] {
  const gross = sums.reduce((sum, cents) => sum + cents, 0);
  if (gross !== totals.gross) {
    throw new RangeError(`the guests' sums make ${gross}, the order ${totals.gross}`);
  }
  const shares = sums.map((cents) => Math.floor((totals.due * cents) / Math.max(1, gross)));
  const spare = totals.due - shares.reduce((sum, cents) => sum + cents, 0);
  return shares.map((cents, index) => cents + (index < spare ? 1 : 0));
}

/** Net amount, for the books of the evening. */
export function netOf(totals: Totals): Cents {
  return totals.due - totals.tax;
}

/** True where an offer made the order cheaper, so that the screen may say so. */
export function isReduced(totals: Totals): boolean {
  return totals.discount > 0;
}
