import { Inventory } from "./inventory.ts";
import type { Rule } from "./discounts.ts";
import { ticketsFor, type Ticket } from "./kitchen.ts";
import type { Menu } from "./menu.ts";
import { notify } from "./notifier.ts";
import { payShares, type Terminal } from "./payment.ts";
import { totalsOf } from "./pricing.ts";
import { receiptLines } from "./receipt.ts";
import { Session } from "./session.ts";

export interface Parts {
  menu: Menu;
  inventory: Inventory;
  rules: readonly Rule[];
  terminal: Terminal;
  now: () => number;
}

export interface Placed {
  order: number;
  receipt: string[];
  tickets: Ticket[];
}

/** The counter that every screen of a shop talks to. */
export class Kiosk {
  readonly #parts: Parts;
  #lastOrder = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  begin(): Session {
    return new Session(this.#parts.now);
  }

  /** What the screen greys out: dishes of which nothing is left. */
  soldOut(skus: readonly string[]): string[] {
    return skus.filter((sku) => this.#parts.inventory.left(sku) === 0);
  }

  /** The number that the next guest gets. */
  get nextOrder(): number {
    return this.#lastOrder + 1;
  }

  /** Pays and places the order of a session; the session starts again from nothing. */
  place(session: Session, card?: string): Placed {
    const { menu, inventory, rules, terminal } = this.#parts;
    const cartToPlace = session.cart;
    const totals = totalsOf(cartToPlace, menu, rules);
    inventory.take(cartToPlace);
    const order = this.#lastOrder + 1;
    payShares(terminal, totals.due, order);
    this.#lastOrder = order;
    notify("ORDER_PLACED", [order, totals.due]);
    if (card) {
      notify("CARD_SHOWN", [card, totals.due]);
    }
    const receipt = receiptLines(cartToPlace, menu, totals, session.locale);
    const tickets = ticketsFor(cartToPlace, menu, order);
    session.change((cart) => cart.entries.reduce((rest) => rest.drop(0), cart));
    return { order, receipt, tickets };
  }
}
