/** Amounts are whole cents; nothing in the kiosk computes with fractions of a cent. */
export type Cents = number;

export function percentOf(cents: Cents, percent: number): Cents {
  return Math.round((cents * percent) / 100);
}

/** "12.40" from 1240; the comma is for the locales that write one. */
export function formatCents(cents: Cents, comma = false): string {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}${whole}${comma ? "," : "."}${rest}`;
}

export function parseCents(text: string): Cents {
  const match = /^(-?)(\d+)(?:[.,](\d{2}))?$/.exec(text.trim());
  if (!match) {
    throw new RangeError(`not an amount: ${text}`);
  }
  const cents = Number(match[2]) * 100 + Number(match[3] ?? 0);
  return match[1] ? -cents : cents;
}

/** Parts that differ by a cent at most and add up to the whole. */
export function splitCents(cents: Cents, parts: number): Cents[] {
  const base = Math.floor(cents / parts);
  const spare = cents - base * parts;
  return Array.from({ length: parts }, (_, index) => base + (index < spare ? 1 : 0));
}
