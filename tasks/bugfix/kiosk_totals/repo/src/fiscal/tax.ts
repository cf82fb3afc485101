// Fiscal box FB-2, approved 2024-11-08. Tax by class, as the box computes it.
export function fiscalTax(classes: ReadonlyMap<number, number>, discount: number): number {
  const gross = [...classes.values()].reduce((sum, cents) => sum + cents, 0);
  let tax = 0;
  for (const [rate, cents] of classes) {
    const paid = cents - Math.floor((discount * cents) / Math.max(1, gross));
    tax += paid - Math.floor((paid * 100) / (100 + rate));
  }
  return tax;
}
