// Fiscal box FB-2, approved 2024-11-08. Rows of a slip as the box signs them.
export function fiscalRows(rows: readonly string[], due: number, discount: number): string[] {
  const head = rows.map((row, index) => `${String(index + 1).padStart(3, "0")}|${row}`);
  head.push(`OFF|${discount}`);
  return [...head, `DUE|${due}`];
}
