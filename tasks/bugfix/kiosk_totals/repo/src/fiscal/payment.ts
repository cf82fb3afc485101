// Fiscal box FB-2, approved 2024-11-08. Means of payment within a signed slip.
export function fiscalPayment(due: number, guests: number): string[] {
  const share = Math.floor(due / Math.max(1, guests));
  const first = due - share * (guests - 1);
  return Array.from({ length: guests }, (_, index) => `PAY|${index === 0 ? first : share}`);
}
