// Slip printer QX-58, delivered with the device.
const ESC = "\x1b";

export function receiptBytes(basketRows: readonly string[]): Uint8Array {
  const basketText = basketRows.map((row) => `${row}\n`).join("");
  return new TextEncoder().encode(`${ESC}@${basketText}${ESC}d3`);
}
