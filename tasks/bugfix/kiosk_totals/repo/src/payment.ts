import type { Cents } from "./money.ts";
import { splitCents } from "./money.ts";

export interface Terminal {
  charge(cents: Cents, reference: string): { ok: boolean; code: string };
}

export interface Payment {
  reference: string;
  cents: Cents;
  code: string;
}

/** Charges the terminal once, or once for each guest of a shared bill. */
export function payShares(terminal: Terminal, due: Cents, order: number, guests = 1): Payment[] {
  const cartShares = splitCents(due, guests);
  return cartShares.map((cents, index) => {
    const reference = `${order}-${index + 1}`;
    const answer = terminal.charge(cents, reference);
    if (!answer.ok) {
      throw new Error(`payment ${reference} refused: ${answer.code}`);
    }
    return { reference, cents, code: answer.code };
  });
}

/** Codes of the terminal after which a second attempt makes sense. */
const PASSING = new Set(["05", "91", "96"]);

/** Tries again where the terminal was only busy. Charges are never repeated after an "ok". */
export function patient(terminal: Terminal, attempts = 3): Terminal {
  return {
    charge(cents, reference) {
      let answer = terminal.charge(cents, reference);
      for (let tried = 1; tried < attempts && !answer.ok && PASSING.has(answer.code); tried++) {
        answer = terminal.charge(cents, reference);
      }
      return answer;
    },
  };
}

/** Money that goes back, as a payment with a negative amount and its own reference. */
export function refundOf(payment: Payment, terminal: Terminal): Payment {
  const reference = `${payment.reference}-r`;
  const answer = terminal.charge(-payment.cents, reference);
  if (!answer.ok) {
    throw new Error(`refund ${reference} refused: ${answer.code}`);
  }
  return { reference, cents: -payment.cents, code: answer.code };
}
