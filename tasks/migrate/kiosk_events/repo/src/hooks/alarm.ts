import { onTopic } from "../notifier.ts";

/** Tablet: a red frame after a refusal. */
export function hookAlarm(draw: (isRed: boolean) => void): void {
  onTopic("PAYMENT_REFUSED", () => {
    draw(true);
  });
}
