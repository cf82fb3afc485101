import type { Cart } from "./cart.ts";
import { percentOf, type Cents } from "./money.ts";

/** One offer of the week. `from` is the number of pieces at which it begins. */
export type Rule =
  | { kind: "percent"; sku: string; from: number; percent: number }
  | { kind: "free"; sku: string; from: number }
  | { kind: "flat"; from: number; cents: Cents };

/** Offers do not add up: the guest gets the best one. */
export function bestDiscount(cart: Cart, rules: readonly Rule[]): Cents {
  return rules.reduce((best, rule) => Math.max(best, valueOf(cart, rule)), 0);
}

function valueOf(cart: Cart, rule: Rule): Cents {
  if (rule.kind === "flat") {
    return cart.pieces >= rule.from ? rule.cents : 0;
  }
  const chosen = cartPart(cart, rule.sku);
  const pieces = chosen.reduce((sum, entry) => sum + entry.count, 0);
  if (pieces < rule.from) {
    return 0;
  }
  if (rule.kind === "free") {
    return Math.min(...chosen.map((entry) => entry.unitCents));
  }
  const cents = chosen.reduce((sum, entry) => sum + entry.count * entry.unitCents, 0);
  return percentOf(cents, rule.percent);
}

function cartPart(cart: Cart, sku: string): Cart["entries"] {
  const cartLines = cart.entries.filter((entry) => entry.sku === sku);
  return cartLines;
}

/** Offers that are known to the shop, with the hours in which they hold. */
export interface Timed {
  rule: Rule;
  fromHour: number;
  untilHour: number;
}

/** Rules in force at an hour of the day; an offer may run past midnight. */
export function rulesAt(offers: readonly Timed[], hour: number): Rule[] {
  return offers
    .filter(({ fromHour, untilHour }) =>
      fromHour <= untilHour
        ? fromHour <= hour && hour < untilHour
        : fromHour <= hour || hour < untilHour,
    )
    .map(({ rule }) => rule);
}

/** One short phrase for the banner at the top of the screen. */
export function bannerOf(rule: Rule): string {
  switch (rule.kind) {
    case "percent":
      return `${rule.percent}% off from ${rule.from} x ${rule.sku}`;
    case "free":
      return `1 x ${rule.sku} free from ${rule.from}`;
    case "flat":
      return `${rule.cents / 100} off from ${rule.from} pieces`;
  }
}
