import { createServer, type RequestListener } from 'node:http';

/** A server on loopback of another party that a recording plays. */
export type StandInServer = { readonly url: string; close(): Promise<void> };

export async function startStandIn(listener: RequestListener): Promise<StandInServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
