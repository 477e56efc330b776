import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Puts a server on a free port of loopback until the test ends. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server on loopback that answers as it is told and counts its requests. Its URL holds a key. */
export async function startPriceServer(answer: RequestListener) {
  let requests = 0;
  const port = await listen(
    createServer((request, response) => {
      requests += 1;
      answer(request, response);
    }),
  );
  return { url: `http://127.0.0.1:${port}/price?key=very-secret`, requests: () => requests };
}

export function json(text: string, status = 200): RequestListener {
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
