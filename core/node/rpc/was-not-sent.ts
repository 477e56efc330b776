import { errors } from 'undici';

/** Error codes of connections that were never established. */
const neverConnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether the question certainly did not arrive: no connection was established, and no kept connection was closed. */
export function wasNotSent(error: unknown): boolean {
  let isUnconnected = false;
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth += 1) {
    if (each instanceof errors.SocketError) return false;
    isUnconnected ||= neverConnected.has((each as NodeJS.ErrnoException).code);
  }
  return isUnconnected;
}
