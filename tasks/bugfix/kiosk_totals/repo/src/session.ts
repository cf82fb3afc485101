import { Cart } from "./cart.ts";
import type { Locale } from "./i18n.ts";

const IDLE_MS = 90_000;

/** One guest in front of the screen. The clock is handed in, so that tests own the time. */
export class Session {
  cart = new Cart();
  locale: Locale = "en";
  #touchedAt: number;
  readonly #now: () => number;
  readonly #steps: Cart[] = [];

  constructor(now: () => number) {
    this.#now = now;
    this.#touchedAt = now();
  }

  change(step: (cart: Cart) => Cart): void {
    this.#touchedAt = this.#now();
    this.#steps.push(this.cart);
    this.cart = step(this.cart);
  }

  /** Back by one step, as often as there were any. */
  undo(): boolean {
    const earlier = this.#steps.pop();
    if (!earlier) {
      return false;
    }
    this.#touchedAt = this.#now();
    this.cart = earlier;
    return true;
  }

  /** Seconds until the screen goes back to its start, for the bar at the bottom. */
  get secondsLeft(): number {
    return Math.max(0, Math.ceil((IDLE_MS - (this.#now() - this.#touchedAt)) / 1000));
  }

  get isIdle(): boolean {
    return this.#now() - this.#touchedAt >= IDLE_MS;
  }

  /** Text that survives a restart of the screen. */
  save(): string {
    return JSON.stringify({ locale: this.locale, entries: this.cart.entries });
  }

  restore(text: string): void {
    const stored = JSON.parse(text) as { locale: Locale; entries: Cart["entries"] };
    const cartFromDisk = new Cart(stored.entries);
    this.locale = stored.locale;
    this.cart = cartFromDisk;
  }
}
