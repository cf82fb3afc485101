import type { Loyalty } from "../loyalty.ts";
import { onTopic } from "../notifier.ts";

/** Credits the card of a guest who has paid. */
export class PointCollector {
  readonly #loyalty: Loyalty;

  constructor(loyalty: Loyalty) {
    this.#loyalty = loyalty;
  }

  watch(): void {
    onTopic("CARD_SHOWN", (payload) => {
      const [card, due] = payload as [string, number];
      this.#loyalty.collect(card, due);
    });
  }
}
