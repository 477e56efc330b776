type Listener = () => void;

const listeners = new Set<Listener>();

/**
 * Calls `listener` whenever a message was queued and its transaction is committed. Returns what ends it. All stores of the
 * process share this; an unneeded check costs one query.
 */
export function onQueued(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells those who send that there is something to send. */
export function notifyQueued(): void {
  for (const listener of listeners) listener();
}
