import { type AddressInfo, createServer } from 'node:net';

/** A loopback port on which nothing listens: taken for a moment and given back. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  await new Promise((resolve) => server.close(resolve));
  return port;
}
