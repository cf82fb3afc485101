import type { Cents } from "./money.ts";

export type TaxClass = "meal" | "drink" | "takeaway";
export type Station = "grill" | "cold" | "bar";

export interface Extra {
  id: string;
  cents: Cents;
}

export interface Dish {
  sku: string;
  title: { en: string; de: string };
  cents: Cents;
  taxClass: TaxClass;
  station: Station;
  extras: readonly Extra[];
}

/** The card of one shop. Dishes are found by sku, which is unique. */
export class Menu {
  readonly #dishes: ReadonlyMap<string, Dish>;

  constructor(dishes: readonly Dish[]) {
    this.#dishes = new Map(dishes.map((dish) => [dish.sku, dish]));
    if (this.#dishes.size !== dishes.length) {
      throw new RangeError("two dishes share a sku");
    }
  }

  find(sku: string): Dish {
    const dish = this.#dishes.get(sku);
    if (!dish) {
      throw new RangeError(`no dish ${sku}`);
    }
    return dish;
  }

  /** Price of one piece with its extras. */
  priceOf(sku: string, extraIds: readonly string[]): Cents {
    const dish = this.find(sku);
    return extraIds.reduce((sum, id) => {
      const extra = dish.extras.find((one) => one.id === id);
      if (!extra) {
        throw new RangeError(`${sku} has no extra ${id}`);
      }
      return sum + extra.cents;
    }, dish.cents);
  }
}
