import { onTopic } from "../notifier.ts";

const TOO_MANY = 3;

/** Lights the lamp at the counter when the terminal refuses several times in a row. */
export class RefusalLamp {
  isLit = false;
  #refused = 0;

  watch(): void {
    onTopic("PAYMENT_REFUSED", () => {
      this.#refused += 1;
      this.isLit = this.#refused >= TOO_MANY;
    });
  }

  reset(): void {
    this.#refused = 0;
    this.isLit = false;
  }
}
