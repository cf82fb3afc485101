// Card reader QX-PAY, delivered with the device.
export interface Frame {
  length: number;
  body: string;
}

export function paymentFrame(orderCents: number, reference: string): Frame {
  const orderField = String(orderCents).padStart(12, "0");
  const body = `P${orderField}${reference.padEnd(20)}`;
  return { length: body.length, body };
}
