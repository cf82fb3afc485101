import { onTopic } from "../notifier.ts";

/** Tablet: turnover in the status bar. */
export function hookStats(draw: (cents: number) => void): void {
  let cents = 0;
  onTopic("ORDER_PLACED", (payload) => {
    const [, due] = payload as [number, number];
    cents += due;
    draw(cents);
  });
}
