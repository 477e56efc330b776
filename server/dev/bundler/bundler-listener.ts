import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createJSONRPCErrorResponse, type JSONRPCRequest, type JSONRPCServer } from 'json-rpc-2.0';
import { z } from 'zod';
import { readJsonBody } from '../../../gateway/http/json-body.ts';
import { sendJsonText } from '../../../gateway/http/send-json.ts';

/** Largest body, in bytes, and how deep it may be nested. */
const maxBodyBytes = 2_000_000;
const maxBodyDepth = 20;

/** Pages of any origin may ask: it runs on the developer's own machine and guards nothing. */
const openToBrowsers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
const preflight = {
  ...openToBrowsers,
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

const sentSchema = z.union([z.looseObject({}), z.array(z.looseObject({})).min(1)]);

/** JSON-RPC over HTTP: single requests and batches, at any path. */
export function createBundlerListener(server: JSONRPCServer): RequestListener {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (value: unknown) => sendJsonText(response, 200, JSON.stringify(value), openToBrowsers);
    const body = await readJsonBody(request, maxBodyBytes, maxBodyDepth);
    if (body.kind === 'aborted') return;
    if (body.kind !== 'json') return send(createJSONRPCErrorResponse(null, -32_700, `The body is ${body.kind}`));
    const sent = sentSchema.safeParse(body.value);
    if (!sent.success) return send(createJSONRPCErrorResponse(null, -32_600, 'A request must be an object'));
    // The server looks at the form of each request itself.
    const answered = await server.receive(sent.data as unknown as JSONRPCRequest | JSONRPCRequest[]);
    if (answered === null) response.writeHead(204, openToBrowsers).end();
    else send(answered);
  };
  return (request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, preflight).end();
    else if (request.method === 'POST') answer(request, response).catch(() => response.destroy());
    else response.writeHead(405, { ...openToBrowsers, allow: 'POST, OPTIONS' }).end();
  };
}
