import type { IncomingMessage } from 'node:http';

/** How long a client may keep sending a body that is not read, in milliseconds. */
const lingerMs = 1_000;

/**
 * For a request that was answered before its body was read to the end: Node throws the rest away, so that the client
 * can read the answer and keep its connection. If it is still sending after a second, the connection is closed.
 */
export function lingerBriefly(request: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!request.complete) {
      request.socket.destroy();
    }
  }, lingerMs);
  timer.unref();
}
