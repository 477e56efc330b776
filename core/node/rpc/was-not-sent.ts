import { errors } from 'undici';

/** Codes of connections that were never made. */
const neverConnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether nothing of a question can have arrived: no connection was made, and none that was kept has ended. */
export function wasNotSent(error: unknown): boolean {
  let isUnconnected = false;
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth += 1) {
    if (each instanceof errors.SocketError) return false;
    isUnconnected ||= neverConnected.has((each as NodeJS.ErrnoException).code);
  }
  return isUnconnected;
}
