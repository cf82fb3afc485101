/** What an event carries: flat, so that the dashboard can show it as a table. */
export type EventData = Readonly<Record<string, string | number>>;
export type Listener = (data: EventData) => void;

const listeners = new Map<string, Listener[]>();

/** Tells everybody who listens, in the order in which they came. */
export function publish(kind: string, data: EventData): void {
  for (const listener of listeners.get(kind) ?? []) {
    listener(data);
  }
}

export function subscribe(kind: string, listener: Listener): void {
  listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
}
