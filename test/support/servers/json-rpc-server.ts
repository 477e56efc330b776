import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export type RpcRequest = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

export type RpcServer = { readonly url: string; readonly requests: readonly RpcRequest[]; close(): Promise<void> };

/** A JSON-RPC server on loopback that answers as it is told, for the faults of the other side. */
export async function startRpcServer(
  answer: (request: RpcRequest, response: ServerResponse) => void | Promise<void>,
): Promise<RpcServer> {
  const requests: RpcRequest[] = [];
  const server = createServer(async (incoming, response) => {
    // A question without parameters may leave them out.
    const request: RpcRequest = { params: [], ...(JSON.parse(await text(incoming)) as Omit<RpcRequest, 'params'>) };
    requests.push(request);
    await answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/secret-key`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function respond(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export function respondResult(response: ServerResponse, { id }: RpcRequest, result: unknown): void {
  respond(response, { jsonrpc: '2.0', id, result });
}

export function respondError(response: ServerResponse, { id }: RpcRequest, code: number, message: string): void {
  respond(response, { jsonrpc: '2.0', id, error: { code, message } });
}

/** Hands the request on to a real node and returns its answer's body. */
export async function forward(nodeUrl: string, request: RpcRequest): Promise<unknown> {
  const answer = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...request }),
  });
  return answer.json();
}
