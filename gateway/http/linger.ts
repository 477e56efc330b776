import type { IncomingMessage } from 'node:http';

/** How long a client may go on sending a body nobody reads, in milliseconds. */
const lingerMs = 1_000;

/**
 * For a request that was answered before its body was read to the end: Node throws the rest away, so that the client
 * gets to read the answer and can keep its connection. If it is still sending after a second, the connection goes.
 */
export function lingerBriefly(request: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!request.complete) {
      request.socket.destroy();
    }
  }, lingerMs);
  timer.unref();
}
