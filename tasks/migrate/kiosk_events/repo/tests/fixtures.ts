import { Inventory } from "../src/inventory.ts";
import { Kiosk } from "../src/kiosk.ts";
import { PointCollector } from "../src/listeners/points.ts";
import { Loyalty } from "../src/loyalty.ts";
import { Menu, type Dish } from "../src/menu.ts";

const DISHES: Dish[] = [
  {
    sku: "burger",
    title: { en: "Burger", de: "Burger" },
    cents: 890,
    taxClass: "meal",
    station: "grill",
    extras: [{ id: "cheese", cents: 120 }],
  },
  {
    sku: "slaw",
    title: { en: "Coleslaw", de: "Krautsalat" },
    cents: 350,
    taxClass: "takeaway",
    station: "cold",
    extras: [],
  },
  {
    sku: "cola",
    title: { en: "Cola", de: "Cola" },
    cents: 290,
    taxClass: "drink",
    station: "bar",
    extras: [],
  },
];

export const menu = new Menu(DISHES);

export function shop(stock: Record<string, number> = {}) {
  const charged: number[] = [];
  const clock = { now: 0 };
  const loyalty = new Loyalty();
  new PointCollector(loyalty).watch();
  const kiosk = new Kiosk({
    menu,
    inventory: new Inventory(stock),
    rules: [{ kind: "percent", sku: "burger", from: 3, percent: 10 }],
    terminal: {
      charge(cents) {
        charged.push(cents);
        return { ok: true, code: "00" };
      },
    },
    now: () => clock.now,
  });
  return { kiosk, charged, clock, loyalty };
}
