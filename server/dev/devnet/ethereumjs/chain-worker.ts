import type { IncomingMessage, ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { createJSONRPCErrorResponse, createJSONRPCSuccessResponse, type JSONRPCResponse } from 'json-rpc-2.0';
import pLimit from 'p-limit';
import { parseEther } from 'viem';
import { z } from 'zod';
import { createBodiesUnderWay } from '../../../../gateway/http/bodies-under-way.ts';
import { startHttpServer } from '../../../../gateway/http/http-server.ts';
import { readJsonBody } from '../../../../gateway/http/json-body.ts';
import { sendJsonText } from '../../../../gateway/http/send-json.ts';
import { type Chain, ChainError, createChain, minePool } from './chain.ts';
import type { ChainWorkerData } from './chain-worker-data.ts';
import { chainMethods } from './methods.ts';

// The entry of the thread that runs the chain: an operation takes hundreds of milliseconds of its processor.

const { port, chainId, idleBlockSeconds, prices, funded } = workerData as ChainWorkerData;

/** Largest body, in bytes, and its deepest nesting. Simulations carry the code of contracts. */
const bodyBounds = {
  maxBytes: 8_000_000,
  maxDepth: 20,
  maxValues: 1_000_000,
  underWay: createBodiesUnderWay(100_000_000),
};
/** Time for open requests at close, in milliseconds. */
const drainMs = 100;
const browsers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

const requestSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
const bodySchema = z.union([requestSchema, z.array(requestSchema)]);
type SentRequest = z.output<typeof requestSchema>;

const inTurn = pLimit(1);

async function answer(chain: Chain, { id, method, params }: SentRequest): Promise<JSONRPCResponse> {
  const perform = chainMethods.get(method);
  if (perform === undefined) return createJSONRPCErrorResponse(id, -32_601, `the method ${method} does not exist`);
  try {
    return createJSONRPCSuccessResponse(id, (await inTurn(() => perform(chain, ...(params as never[])))) ?? null);
  } catch (error) {
    if (error instanceof ChainError) return createJSONRPCErrorResponse(id, error.code, error.message, error.data);
    return createJSONRPCErrorResponse(id, -32_603, String(error));
  }
}

async function handle(chain: Chain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJsonBody(request, bodyBounds);
  if (body.kind === 'aborted') return;
  const send = (value: unknown) => sendJsonText(response, 200, JSON.stringify(value), browsers);
  const sent = bodySchema.safeParse(body.kind === 'json' ? body.value : undefined);
  if (!sent.success) return send(createJSONRPCErrorResponse(null, -32_600, 'A request must be an object'));
  const answered = Array.isArray(sent.data)
    ? await Promise.all(sent.data.map((each) => answer(chain, each)))
    : await answer(chain, sent.data);
  send(answered);
}

/** Starts the chain, and reports its address. */
async function run(): Promise<void> {
  const balances = funded.map((address) => ({ address, balance: parseEther('10000') }));
  const chain = await createChain({ chainId, prices, balances });
  const server = await startHttpServer(
    (request, response) => {
      if (request.method === 'OPTIONS') response.writeHead(204, browsers).end();
      else handle(chain, request, response).catch(() => response.destroy());
    },
    { host: '127.0.0.1', port, drainMs },
  );
  if (idleBlockSeconds !== undefined) setInterval(() => inTurn(() => minePool(chain)), idleBlockSeconds * 1000);
  parentPort?.postMessage(server.url);
}

// A failure ends the thread, and the main thread reports it.
void run();
