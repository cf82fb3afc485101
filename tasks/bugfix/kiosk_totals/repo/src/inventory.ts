import type { Cart } from "./cart.ts";

/** How much is in the house. What is not listed never runs out. */
export class Inventory {
  readonly #stock: Map<string, number>;

  constructor(stock: Readonly<Record<string, number>>) {
    this.#stock = new Map(Object.entries(stock));
  }

  left(sku: string): number {
    return this.#stock.get(sku) ?? Number.POSITIVE_INFINITY;
  }

  /** A delivery came in. What was never counted is counted from now on. */
  restock(sku: string, count: number): void {
    if (!Number.isInteger(count) || count < 1) {
      throw new RangeError(`a delivery of ${count} is none`);
    }
    this.#stock.set(sku, (this.#stock.get(sku) ?? 0) + count);
  }

  /** Skus that the morning shift should order, scarcest first. */
  runningLow(limit = 5): string[] {
    return [...this.#stock]
      .filter(([, count]) => count <= limit)
      .sort(([, one], [, other]) => one - other)
      .map(([sku]) => sku);
  }

  /** Skus of which the order wants more than there is. */
  missing(cart: Cart): string[] {
    const wanted = cartNeeds(cart);
    return [...wanted].filter(([sku, count]) => count > this.left(sku)).map(([sku]) => sku);
  }

  /** Takes the order out of the stock. Nothing is taken where something is missing. */
  take(cart: Cart): void {
    const missing = this.missing(cart);
    if (missing.length > 0) {
      throw new RangeError(`not in stock: ${missing.join(", ")}`);
    }
    for (const [sku, count] of cartNeeds(cart)) {
      if (this.#stock.has(sku)) {
        this.#stock.set(sku, this.left(sku) - count);
      }
    }
  }
}

function cartNeeds(cart: Cart): Map<string, number> {
  const needs = new Map<string, number>();
  for (const cartLine of cart.entries) {
    needs.set(cartLine.sku, (needs.get(cartLine.sku) ?? 0) + cartLine.count);
  }
  return needs;
}
