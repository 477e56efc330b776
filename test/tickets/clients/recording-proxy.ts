import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as a client sent it. */
export type RecordedRequest = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly headers: IncomingHttpHeaders;
};

export type RecordingProxy = {
  /** The same address behind the proxy. */
  through(url: string): string;
  /** What has come since the last time, in order. */
  take(): readonly RecordedRequest[];
  close(): Promise<void>;
};

/** Stands between clients and a service, changes nothing, and remembers what the clients said. */
export async function startRecordingProxy(serviceUrl: string): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { url = '', method = 'GET', headers } = incoming;
    const body = await text(incoming);
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
    requests.push({ ...JSON.parse(body), headers });
    const answer = await fetch(new URL(url, serviceUrl), { method, body, headers: kept as Record<string, string> });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    through: (url) => `${origin}${new URL(url).pathname}`,
    take: () => requests.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
