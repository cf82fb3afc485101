import { onTopic } from "../notifier.ts";

/** Orders and turnover of the day, for the screen in the office. */
export class DayStats {
  orders = 0;
  cents = 0;

  watch(): void {
    onTopic("ORDER_PLACED", (payload) => {
      const [, due] = payload as [number, number];
      this.orders += 1;
      this.cents += due;
    });
  }

  get average(): number {
    return this.orders === 0 ? 0 : Math.round(this.cents / this.orders);
  }

  close(): { orders: number; cents: number } {
    const day = { orders: this.orders, cents: this.cents };
    this.orders = 0;
    this.cents = 0;
    return day;
  }
}
