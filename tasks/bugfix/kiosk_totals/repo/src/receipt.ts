import type { Cart, Entry } from "./cart.ts";
import { translate, type Locale } from "./i18n.ts";
import type { Menu } from "./menu.ts";
import { formatCents, type Cents } from "./money.ts";
import type { Totals } from "./pricing.ts";

const WIDTH = 32;

/** The guest's receipt as lines of text, ready for whatever prints it. */
export function receiptLines(cart: Cart, menu: Menu, totals: Totals, locale: Locale): string[] {
  const lines = cart.entries.map((entry) => cartLineText(entry, menu, locale));
  lines.push("-".repeat(WIDTH));
  if (totals.discount > 0) {
    lines.push(row(translate("discount", locale), totals.discount, locale));
  }
  lines.push(row(translate("total", locale), totals.due, locale));
  lines.push(row(translate("tax", locale), totals.tax, locale));
  return lines;
}

function cartLineText(entry: Entry, menu: Menu, locale: Locale): string {
  const cartTitle = menu.find(entry.sku).title[locale];
  const extras = entry.extraIds.length > 0 ? ` +${entry.extraIds.join("+")}` : "";
  return row(`${entry.count} ${cartTitle}${extras}`, entry.count * entry.unitCents, locale);
}

function row(label: string, cents: Cents, locale: Locale): string {
  const amount = formatCents(cents, locale === "de");
  const room = WIDTH - amount.length - 1;
  return `${label.slice(0, room).padEnd(room)} ${amount}`;
}

/** Head of the slip: shop and order number, each in the middle. */
export function receiptHead(shop: string, order: number, locale: Locale): string[] {
  return [centred(shop), centred(translate("thanks", locale, order)), "=".repeat(WIDTH)];
}

function centred(text: string): string {
  const short = text.slice(0, WIDTH);
  return `${" ".repeat(Math.floor((WIDTH - short.length) / 2))}${short}`;
}

/** Long titles are broken at blanks, so that the printer never does it in mid-word. */
export function wrapped(text: string, width = WIDTH): string[] {
  const rows: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > width) {
      rows.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return line ? [...rows, line] : rows;
}
