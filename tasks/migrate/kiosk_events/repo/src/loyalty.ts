import { publish } from "./events.ts";
import type { Cents } from "./money.ts";

/** A point for every full euro that was paid; fifty points are worth a coffee. */
export class Loyalty {
  readonly #points = new Map<string, number>();

  pointsOf(card: string): number {
    return this.#points.get(card) ?? 0;
  }

  collect(card: string, paid: Cents): number {
    const points = this.pointsOf(card) + Math.floor(paid / 100);
    this.#points.set(card, points);
    publish("card.credited", { card, points });
    return points;
  }

  redeem(card: string, cost = 50): boolean {
    const points = this.pointsOf(card);
    if (points < cost) {
      return false;
    }
    this.#points.set(card, points - cost);
    return true;
  }
}
