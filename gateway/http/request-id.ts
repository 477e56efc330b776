import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const plausible = /^[A-Za-z0-9._-]{1,64}$/;
const ids = new WeakMap<IncomingMessage, string>();

/** The request's id: the caller's x-request-id if it is harmless, else a new uuid. Stable for a request. */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) {
    return known;
  }
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && plausible.test(sent) ? sent : randomUUID();
  ids.set(request, id);
  return id;
}
