import type { Menu } from "./menu.ts";
import type { Cents } from "./money.ts";

/** What a guest wants of one dish, with the same extras. */
export interface Entry {
  sku: string;
  count: number;
  extraIds: readonly string[];
  unitCents: Cents;
}

/** An order that is still being put together. Every change makes a new one. */
export class Cart {
  readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[] = []) {
    this.entries = entries;
  }

  add(menu: Menu, sku: string, count = 1, extraIds: readonly string[] = []): Cart {
    if (!Number.isInteger(count) || count < 1) {
      throw new RangeError(`count must be a whole number from 1, not ${count}`);
    }
    const unitCents = menu.priceOf(sku, extraIds);
    return new Cart(mergeCartItem(this.entries, { sku, count, extraIds, unitCents }));
  }

  drop(index: number): Cart {
    return new Cart(this.entries.filter((_, at) => at !== index));
  }

  /** The plus and minus keys of the screen; a count of zero drops the entry. */
  setCount(index: number, count: number): Cart {
    if (!Number.isInteger(count) || count < 0) {
      throw new RangeError(`count must be a whole number from 0, not ${count}`);
    }
    if (count === 0) {
      return this.drop(index);
    }
    return new Cart(this.entries.map((entry, at) => (at === index ? { ...entry, count } : entry)));
  }

  /** Prices may change while a guest is choosing; what is placed costs what the menu says now. */
  reprice(menu: Menu): Cart {
    return new Cart(
      this.entries.map((entry) => ({
        ...entry,
        unitCents: menu.priceOf(entry.sku, entry.extraIds),
      })),
    );
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get pieces(): number {
    return this.entries.reduce((sum, entry) => sum + entry.count, 0);
  }
}

function mergeCartItem(entries: readonly Entry[], added: Entry): Entry[] {
  const cartItem = entries.find((one) => isSameChoice(one, added));
  if (!cartItem) {
    return [...entries, added];
  }
  const joined = { ...cartItem, count: cartItem.count + added.count };
  return entries.map((one) => (one === cartItem ? joined : one));
}

function isSameChoice(one: Entry, other: Entry): boolean {
  return one.sku === other.sku && one.extraIds.join() === other.extraIds.join();
}
