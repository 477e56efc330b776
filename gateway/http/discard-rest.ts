import type { IncomingMessage } from 'node:http';

/** Most bytes of an unwanted body that are read and thrown away. */
const maxDiscardedBytes = 1024 * 1024;

/**
 * Throws away what a client still sends of a body that was answered without reading it, so that it gets to read the
 * answer and can keep its connection; but not for ever: then the connection goes.
 */
export function discardRest(request: IncomingMessage): void {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > maxDiscardedBytes) {
      request.destroy();
    }
  });
  request.on('error', () => {});
}
