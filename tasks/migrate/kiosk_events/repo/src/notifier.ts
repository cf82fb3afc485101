/** Where modules shout, and whoever listens hears it. From the first prototype. */
const receivers = new Map<string, Array<(payload: unknown) => void>>();

export function notify(topic: string, payload: unknown): void {
  for (const receive of receivers.get(topic) ?? []) {
    receive(payload);
  }
}

export function onTopic(topic: string, receive: (payload: unknown) => void): void {
  receivers.set(topic, [...(receivers.get(topic) ?? []), receive]);
}
