// Slip printer QX-58, delivered with the device.
const ESC = "\x1b";

export function receiptBytes(orderRows: readonly string[]): Uint8Array {
  const orderText = orderRows.map((row) => `${row}\n`).join("");
  return new TextEncoder().encode(`${ESC}@${orderText}${ESC}d3`);
}
