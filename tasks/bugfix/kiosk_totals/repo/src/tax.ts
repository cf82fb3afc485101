import type { Cart } from "./cart.ts";
import type { Menu, TaxClass } from "./menu.ts";
import type { Cents } from "./money.ts";

export const RATES: Readonly<Record<TaxClass, number>> = { meal: 19, drink: 19, takeaway: 7 };

/** Tax that is contained in an amount at a rate in percent. */
export function taxOf(gross: Cents, rate: number): Cents {
  return gross - Math.round((gross * 100) / (100 + rate));
}

/** Tax within an order; a discount lowers each class in proportion. */
export function taxWithin(cart: Cart, menu: Menu, discount: Cents): Cents {
  const classes = cartByClass(cart, menu);
  const gross = [...classes.values()].reduce((sum, cents) => sum + cents, 0);
  if (gross === 0) {
    return 0;
  }
  let tax = 0;
  for (const [taxClass, cents] of classes) {
    const paid = cents - Math.floor((discount * cents) / gross);
    tax += taxOf(paid, RATES[taxClass]);
  }
  return tax;
}

function cartByClass(cart: Cart, menu: Menu): Map<TaxClass, Cents> {
  const classes = new Map<TaxClass, Cents>();
  for (const cartLine of cart.entries) {
    const { taxClass } = menu.find(cartLine.sku);
    const cents = cartLine.count * cartLine.unitCents;
    classes.set(taxClass, (classes.get(taxClass) ?? 0) + cents);
  }
  return classes;
}

/** Sums of a day for the tax return: gross and tax by rate, lowest rate first. */
export interface RateRow {
  rate: number;
  gross: Cents;
  tax: Cents;
}

export function rateRows(sums: ReadonlyMap<TaxClass, Cents>): RateRow[] {
  const byRate = new Map<number, Cents>();
  for (const [taxClass, cents] of sums) {
    const rate = RATES[taxClass];
    byRate.set(rate, (byRate.get(rate) ?? 0) + cents);
  }
  return [...byRate]
    .map(([rate, gross]) => ({ rate, gross, tax: taxOf(gross, rate) }))
    .sort((one, other) => one.rate - other.rate);
}
