import { onTopic } from "../notifier.ts";

/** Tablet: numbers in the status bar. */
export function hookBoard(draw: (orders: readonly number[]) => void): void {
  const orders: number[] = [];
  onTopic("TICKET_READY", (payload) => {
    orders.unshift(payload as number);
    draw(orders.slice(0, 4));
  });
}
