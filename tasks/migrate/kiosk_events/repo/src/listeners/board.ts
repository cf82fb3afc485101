import { onTopic } from "../notifier.ts";

const PLACES = 12;

/** The numbers on the wall, newest first. A number leaves when the wall is full. */
export class NumberWall {
  readonly shown: number[] = [];

  watch(): void {
    onTopic("TICKET_READY", (payload) => {
      this.show(payload as number);
    });
  }

  show(order: number): void {
    if (this.shown.includes(order)) {
      return;
    }
    this.shown.unshift(order);
    this.shown.length = Math.min(this.shown.length, PLACES);
  }
}
