import type { Cart, Entry } from "./cart.ts";
import type { Menu, Station } from "./menu.ts";

export interface Ticket {
  order: number;
  station: Station;
  rows: string[];
}

/** One ticket for each station that has something to do, grill first. */
export function ticketsFor(cart: Cart, menu: Menu, order: number): Ticket[] {
  const stations: Station[] = ["grill", "cold", "bar"];
  return stations
    .map((station) => ({ order, station, rows: stationLines(cart, menu, station).map(rowOf) }))
    .filter((ticket) => ticket.rows.length > 0);
}

function stationLines(cart: Cart, menu: Menu, station: Station): Entry[] {
  const cartLines = cart.entries.filter((entry) => menu.find(entry.sku).station === station);
  return cartLines;
}

function rowOf(entry: Entry): string {
  const extras = entry.extraIds.map((id) => `  + ${id}`).join("");
  return `${entry.count} x ${entry.sku}${extras}`;
}

/** Text of a ticket for the screen above a station. */
export function ticketText(ticket: Ticket): string {
  const head = `#${ticket.order} ${ticket.station.toUpperCase()}`;
  return [head, ...ticket.rows].join("\n");
}

/** What a station has to do, oldest order first; `bell` rings when a ticket is ready. */
export class Board {
  readonly #open: Ticket[] = [];
  readonly #bell: (order: number) => void;

  constructor(bell: (order: number) => void) {
    this.#bell = bell;
  }

  hang(tickets: readonly Ticket[]): void {
    this.#open.push(...tickets);
  }

  at(station: Station): Ticket[] {
    return this.#open.filter((ticket) => ticket.station === station);
  }

  ready(order: number, station: Station): void {
    const index = this.#open.findIndex((t) => t.order === order && t.station === station);
    if (index < 0) {
      throw new RangeError(`no ticket ${order} at ${station}`);
    }
    this.#open.splice(index, 1);
    if (!this.#open.some((ticket) => ticket.order === order)) {
      this.#bell(order);
    }
  }
}
