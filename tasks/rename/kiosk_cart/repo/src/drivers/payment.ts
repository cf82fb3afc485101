// Card reader QX-PAY, delivered with the device.
export interface Frame {
  length: number;
  body: string;
}

export function paymentFrame(basketCents: number, reference: string): Frame {
  const basketField = String(basketCents).padStart(12, "0");
  const body = `P${basketField}${reference.padEnd(20)}`;
  return { length: body.length, body };
}
